import { faultsCountedMax, type Orphans } from '../../database.ts';
import type { Session } from '../session.ts';
import { faultsOf } from './faults.ts';

/** Finds links of operators that grant access to a missing tenant. A link names its tenants in a JSON array. */
export async function findLinksWithoutTenant({ db }: Session): Promise<readonly Orphans[]> {
  const tenants = await db.selectFrom('tenant').select('id').execute();
  const known = new Set(tenants.map(({ id }) => String(id)));
  const links = await db.selectFrom('operator_link').select('tenant_ids').execute();
  const missing = links
    .map(({ tenant_ids }) => (JSON.parse(tenant_ids) as string[]).filter((id) => !known.has(id)))
    .filter((ids) => ids.length > 0);
  if (missing.length === 0) return [];
  const faults = faultsOf(missing.slice(0, faultsCountedMax).map((ids) => `tenant_ids ${ids.join(' ')}`));
  return [{ ...faults, reference: 'operator_link refers to a missing tenant', isRecord: false }];
}
