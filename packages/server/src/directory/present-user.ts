import { type Data, type Operations, profileFields } from '@fieldroster/contract';
import type {
  ListedUser,
  OrgRecord,
  RoleRecord,
  UserProfile,
  UserWithBindings,
} from '../database/database.ts';
import { emptyValue, userFieldList } from '../database/user-columns.ts';

type QueriedUser = Data<Operations['queryUser']>;
type PresentedProfile = Pick<QueriedUser, keyof typeof profileFields>;
type RoleEntry = QueriedUser['roles'][number];
type OrgEntry = QueriedUser['orgs'][number];

/** Presents a user with every field. Unset fields have the empty value of their type. */
export function presentUser(user: UserWithBindings): QueriedUser {
  return {
    id: user.id,
    username: user.username,
    ...presentProfile(user),
    roles: user.role === undefined ? [] : [presentRole(user.role)],
    orgs: user.org === undefined ? [] : [presentOrg(user.org)],
  };
}

/** Returns the user's entry in a list. */
export function presentListedUser(user: ListedUser) {
  return {
    ...presentUser(user),
    status: user.status,
    revision: user.revision,
    created_at: user.createdAtMs,
    updated_at: user.updatedAtMs,
  };
}

const answeredFields = userFieldList.filter(({ name }) => name in profileFields);

/** Returns the fields that creation and query both answer. */
export function presentProfile(user: Partial<UserProfile>): PresentedProfile {
  const profile: Record<string, unknown> = {};
  for (const field of answeredFields) profile[field.name] = user[field.property] ?? emptyValue(field);
  return profile as unknown as PresentedProfile;
}

/** Returns the role entry; `code` is present only if the role has one. */
export function presentRole(role: RoleRecord): RoleEntry {
  return {
    id: role.id,
    name: role.name,
    system_id: role.systemId,
    order: role.position,
    description: role.description,
    ...(role.code !== undefined && { code: role.code }),
  };
}

/** Returns the organization entry; a root has the parent 0. */
export function presentOrg(org: OrgRecord): OrgEntry {
  return { id: org.id, name: org.name, parent_id: org.parentId ?? 0n };
}
