import type { Data, Operations } from '@fieldroster/contract';
import type {
  ListedUser,
  OrgRecord,
  RoleRecord,
  UserProfile,
  UserWithBindings,
} from '../database/database.ts';

type QueriedUser = Data<Operations['queryUser']>;
type RoleEntry = QueriedUser['roles'][number];
type OrgEntry = QueriedUser['orgs'][number];

/** The user as the query answers it: every field is there, an unset one with an empty value of its type. */
export function presentUser(user: UserWithBindings): QueriedUser {
  return {
    id: user.id,
    username: user.username,
    real_name: user.realName,
    ...presentProfile(user),
    roles: user.role === undefined ? [] : [presentRole(user.role)],
    orgs: user.org === undefined ? [] : [presentOrg(user.org)],
  };
}

/** The user as lists answer it. */
export function presentListedUser(user: ListedUser) {
  return {
    ...presentUser(user),
    status: user.status,
    revision: user.revision,
    created_at: user.createdAtMs,
    updated_at: user.updatedAtMs,
  };
}

/** The fields that creation and query answer alike. */
export function presentProfile(user: Partial<UserProfile>) {
  return {
    nickname: user.nickname ?? '',
    gender: (user.gender ?? 0) as 0 | 1 | 2,
    email: user.email ?? '',
    phone: user.phone ?? '',
    department: user.department ?? '',
    avatar: user.avatar ?? '',
    unique_code: user.uniqueCode ?? '',
  };
}

/** The role entry; its `code` is there only when the role has one. */
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

/** The organization entry; a root has the parent 0. */
export function presentOrg(org: OrgRecord): OrgEntry {
  return { id: org.id, name: org.name, parent_id: org.parentId ?? 0n };
}
