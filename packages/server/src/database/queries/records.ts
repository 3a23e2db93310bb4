import type {
  OrgRecord,
  RoleRecord,
  UserChanges,
  UserRecord,
  UserStatus,
  UserToChange,
  UserWithBindings,
} from '../database.ts';
import { userFieldList } from '../user-columns.ts';
import type { Schema, UserProfileRow } from './schema.ts';

interface UserRow extends UserProfileRow {
  id: bigint;
  username: string;
  status: UserStatus;
  revision: bigint;
}

/** A role's columns under their names in a join; null if nothing was joined. */
interface RoleColumns {
  role_id: bigint | null;
  role_name: string | null;
  role_system_id: bigint | null;
  role_position: bigint | null;
  role_description: string | null;
  role_code: string | null;
}

interface OrgColumns {
  org_id: bigint | null;
  org_name: string | null;
  org_parent_id: bigint | null;
}

export function toUser(row: UserRow): UserRecord {
  const { id, username, status, revision } = row;
  const user: Record<string, unknown> = { id, username, status, revision };
  for (const { property, column, type } of userFieldList) {
    user[property] = type === 'text' ? row[column] : Number(row[column]);
  }
  return user as unknown as UserRecord;
}

/** @param row `has_password` is a boolean or an integer, depending on the engine */
export function toUserToChange(row: UserRow & { has_password: boolean | bigint }): UserToChange {
  return { ...toUser(row), hasPassword: Boolean(row.has_password) };
}

export function toUserWithBindings(row: UserRow & RoleColumns & OrgColumns): UserWithBindings {
  const user: UserRecord & { role?: RoleRecord; org?: OrgRecord } = toUser(row);
  if (row.role_id !== null) user.role = toRole(row);
  if (row.org_id !== null) user.org = toOrg(row);
  return user;
}

export function toRole(row: RoleColumns): RoleRecord {
  return {
    id: row.role_id ?? 0n,
    name: row.role_name ?? '',
    systemId: row.role_system_id ?? 0n,
    position: Number(row.role_position ?? 0n),
    description: row.role_description ?? '',
    ...(row.role_code !== null && { code: row.role_code }),
  };
}

export function toOrg(row: OrgColumns): OrgRecord {
  return {
    id: row.org_id ?? 0n,
    name: row.org_name ?? '',
    ...(row.org_parent_id !== null && { parentId: row.org_parent_id }),
  };
}

/** Returns the columns of the fields to change. */
export function toUserColumns(changes: UserChanges): Partial<Schema['user']> {
  const columns: Record<string, unknown> = {};
  for (const { property, column, type } of userFieldList) {
    const value = changes[property];
    if (value !== undefined) columns[column] = type === 'text' ? value : BigInt(value);
  }
  if (changes.passwordHash !== undefined) columns.password_hash = changes.passwordHash;
  return columns;
}

const emptyColumns = Object.fromEntries(
  userFieldList.map((field) => [field.column, field.type === 'text' ? '' : 0n]),
) as unknown as UserProfileRow;

/** Returns the columns of a new user, empty for absent fields. */
export function toNewUserColumns(fields: UserChanges): UserProfileRow & { password_hash: string | null } {
  return { ...emptyColumns, password_hash: null, ...toUserColumns(fields) };
}
