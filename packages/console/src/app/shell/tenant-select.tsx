import { Select, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useSession } from '../../api/session.ts';
import { useTexts } from '../../i18n/texts.ts';
import { useTenant } from '../../parts/use-tenant.ts';

/** Chooses the tenant whose data the pages show; a plain name where there is no choice. */
export function TenantSelect() {
  const { navigation } = useTexts();
  const { tenants } = useSession();
  const tenant = String(useTenant());
  const navigate = useNavigate();
  if (tenants.length === 1) return <Text c="dimmed">{tenants[0]?.name}</Text>;
  return (
    <Select
      aria-label={navigation.tenant}
      size="xs"
      w={160}
      searchable={tenants.length > 8}
      allowDeselect={false}
      data={tenants.map(({ id, name }) => ({ value: String(id), label: name }))}
      value={tenant}
      onChange={(value) => value !== null && navigate({ to: '/t/$tenant', params: { tenant: value } })}
    />
  );
}
