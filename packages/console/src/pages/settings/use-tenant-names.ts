import { useSession } from '../../api/session.ts';
import { sameId } from '../../api/wire.ts';
import { useTexts } from '../../i18n/texts.ts';
import type { Access } from './access-fields.tsx';

/** Returns the names of the tenants that an operator has access to, or will have. */
export function useTenantNames({ all_tenants, tenant_ids }: Omit<Access, 'role'>): string {
  const { general, settings } = useTexts();
  const { tenants } = useSession();
  if (all_tenants) return settings.operators.allTenants;
  const names = tenants.filter(({ id }) => tenant_ids.some((other) => sameId(id, other)));
  return names.map(({ name }) => name).join(', ') || general.none;
}
