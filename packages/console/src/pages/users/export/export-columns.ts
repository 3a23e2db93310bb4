import type { FoundUser } from '../../../api/user-search-query.ts';
import type { Id } from '../../../api/wire.ts';

interface ExportColumn {
  readonly name: string;
  readonly read: (user: FoundUser) => string;
}

/** The columns of an export. An import reads those that it sets by the same names. */
export const exportColumns: readonly ExportColumn[] = [
  { name: 'username', read: ({ username }) => username },
  { name: 'real_name', read: ({ real_name }) => real_name },
  { name: 'phone', read: ({ phone }) => phone },
  { name: 'department', read: ({ department }) => department },
  { name: 'role_id', read: ({ roles }) => String(roles[0]?.id ?? '') },
  { name: 'org_id', read: ({ orgs }) => String(orgs[0]?.id ?? '') },
  { name: 'role_name', read: ({ roles }) => roles[0]?.name ?? '' },
  { name: 'org_name', read: ({ orgs }) => orgs[0]?.name ?? '' },
  { name: 'nickname', read: ({ nickname }) => nickname },
  { name: 'email', read: ({ email }) => email },
  { name: 'unique_code', read: ({ unique_code }) => unique_code },
  { name: 'gender', read: ({ gender }) => String(gender) },
  { name: 'avatar', read: ({ avatar }) => avatar },
  { name: 'id', read: ({ id }) => String(id) },
  { name: 'status', read: ({ status }) => status },
  { name: 'created_at', read: ({ created_at }) => toIso(created_at) },
  { name: 'updated_at', read: ({ updated_at }) => toIso(updated_at) },
];

function toIso(at: Id): string {
  return new Date(Number(at)).toISOString();
}
