import type { UserFields } from '@fieldroster/contract';
import { profileTextNames } from '@fieldroster/contract/profile-texts';
import type { FoundUser } from '../../../api/user-search-query.ts';
import type { Id } from '../../../api/wire.ts';

type ReadColumn = (user: FoundUser) => string;

/** The texts of a profile. */
const texts = Object.fromEntries(
  profileTextNames.map((name) => [name, (user: FoundUser) => user[name]]),
) as Record<(typeof profileTextNames)[number], ReadColumn>;

const { real_name, phone, department, nickname, email, unique_code, ...furtherTexts } = texts;

/** The columns of an export, in order. An import reads those that it sets by the same names. */
const columns = {
  username: ({ username }) => username,
  real_name,
  phone,
  department,
  role_id: ({ roles }) => String(roles[0]?.id ?? ''),
  org_id: ({ orgs }) => String(orgs[0]?.id ?? ''),
  role_name: ({ roles }) => roles[0]?.name ?? '',
  org_name: ({ orgs }) => orgs[0]?.name ?? '',
  nickname,
  email,
  unique_code,
  gender: ({ gender }) => String(gender),
  ...furtherTexts,
  id: ({ id }) => String(id),
  status: ({ status }) => status,
  created_at: ({ created_at }) => toIso(created_at),
  updated_at: ({ updated_at }) => toIso(updated_at),
} satisfies Record<string, ReadColumn> & Record<ListedField, ReadColumn>;

/** Lists of users leave out `ext_info`. */
type ListedField = Exclude<keyof UserFields, 'ext_info'>;

export const exportHeadings = Object.keys(columns);

export function exportValues(user: FoundUser): string[] {
  return Object.values(columns).map((read) => read(user));
}

function toIso(at: Id): string {
  return new Date(Number(at)).toISOString();
}
