import { useQuery } from '@tanstack/react-query';
import { orgsQuery, rolesQuery } from '../../api/directory-lists.ts';
import { operatorsQuery } from '../../api/operators-query.ts';
import { useSession } from '../../api/session.ts';
import { useTexts } from '../../i18n/texts.ts';
import { useTenant } from '../use-tenant.ts';

/** How an empty value is written. An id of 0 is one: an organization without a parent has it. */
export const none = '∅';

/**
 * Returns a function that names the role, organization, operator or tenant with the id that a field holds. It returns
 * `undefined` for other fields and until the names are known.
 */
export function useTargetNames(
  fields: readonly string[],
): (field: string, id: unknown) => string | undefined {
  const { changes } = useTexts();
  const { tenants } = useSession();
  const tenant = useTenant();
  const hasOrg = fields.includes('org_id') || fields.includes('parent_id');
  const { data: roles } = useQuery({ ...rolesQuery(tenant), enabled: fields.includes('role_id') });
  const { data: orgs } = useQuery({ ...orgsQuery(tenant), enabled: hasOrg });
  // Only changes of the deployment have these fields, and only owners see them.
  const hasOperator = fields.includes('operator_id') || fields.includes('made_by');
  const { data: found } = useQuery({ ...operatorsQuery, enabled: hasOperator });
  const operatorNames = found?.operators.map(({ id, username }) => ({ id, name: username }));
  const lists = {
    role_id: roles,
    org_id: orgs,
    parent_id: orgs,
    operator_id: operatorNames,
    made_by: operatorNames,
    tenant_ids: tenants,
  };
  return (field, id) => {
    const list = lists[field as keyof typeof lists];
    if (list === undefined) return undefined;
    if (String(id) === '0') return none;
    return list.find((target) => String(target.id) === String(id))?.name ?? changes.gone(String(id));
  };
}
