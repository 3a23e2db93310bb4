import { useQuery } from '@tanstack/react-query';
import { orgsQuery, rolesQuery } from '../api/directory-lists.ts';
import { useTenant } from './use-tenant.ts';

/** Returns a function that names the role or the organization with the id that a field holds, if it is known. */
export function useTargetNames(
  fields: readonly string[],
): (field: string, id: unknown) => string | undefined {
  const tenant = useTenant();
  const hasOrg = fields.includes('org_id') || fields.includes('parent_id');
  const { data: roles } = useQuery({ ...rolesQuery(tenant), enabled: fields.includes('role_id') });
  const { data: orgs } = useQuery({ ...orgsQuery(tenant), enabled: hasOrg });
  const lists = { role_id: roles, org_id: orgs, parent_id: orgs };
  return (field, id) =>
    lists[field as keyof typeof lists]?.find((target) => String(target.id) === String(id))?.name;
}
