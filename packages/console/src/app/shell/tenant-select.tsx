import { Select, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { sees, useSession } from '../../api/session.ts';
import { useTexts } from '../../i18n/texts.ts';
import { useTypedText } from '../../parts/fields/use-typed-text.ts';
import { useTenant } from '../../parts/use-tenant.ts';
import styles from './tenant-select.module.css';

/**
 * Chooses the tenant whose data the pages show. Where there is no choice, it is a plain name, for which a narrow screen
 * has no room.
 */
export function TenantSelect() {
  const { navigation } = useTexts();
  const session = useSession();
  const { tenants } = session;
  const tenant = useTenant();
  const navigate = useNavigate();
  const isSeen = sees(session, tenant);
  const typed = useTypedText(
    isSeen ? tenants.find(({ id }) => String(id) === String(tenant))?.name : undefined,
  );
  if (tenants.length === 1) {
    const name = tenants[0]?.name;
    return (
      isSeen && (
        <Text className={styles.name} title={name} c="dimmed" truncate>
          {name}
        </Text>
      )
    );
  }
  return (
    <Select
      aria-label={navigation.tenant}
      size="xs"
      classNames={{ root: styles.select ?? '', input: styles.input ?? '' }}
      searchable={tenants.length > 8}
      {...typed}
      allowDeselect={false}
      data={tenants.map(({ id, name }) => ({ value: String(id), label: name }))}
      placeholder={navigation.tenant}
      value={isSeen ? String(tenant) : null}
      onChange={(value) => value !== null && navigate({ to: '/t/$tenant', params: { tenant: value } })}
    />
  );
}
