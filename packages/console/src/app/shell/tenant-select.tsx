import { Select, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { sees, useSession } from '../../api/session.ts';
import { useTexts } from '../../i18n/texts.ts';
import { useTenant } from '../../parts/use-tenant.ts';

/** Chooses the tenant whose data the pages show; a plain name where there is no choice. */
export function TenantSelect() {
  const { navigation } = useTexts();
  const session = useSession();
  const { tenants } = session;
  const tenant = useTenant();
  const navigate = useNavigate();
  const isSeen = sees(session, tenant);
  if (tenants.length === 1) return isSeen && <Text c="dimmed">{tenants[0]?.name}</Text>;
  return (
    <Select
      aria-label={navigation.tenant}
      size="xs"
      w={160}
      searchable={tenants.length > 8}
      allowDeselect={false}
      data={tenants.map(({ id, name }) => ({ value: String(id), label: name }))}
      placeholder={navigation.tenant}
      value={isSeen ? String(tenant) : null}
      onChange={(value) => value !== null && navigate({ to: '/t/$tenant', params: { tenant: value } })}
    />
  );
}
