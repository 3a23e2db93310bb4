import type { OrgRecord, RoleRecord, UserChanges, UserRecord, UserWithBindings } from '../database.ts';
import type { Schema } from './schema.ts';

interface UserRow {
  id: bigint;
  username: string;
  real_name: string;
  nickname: string;
  gender: bigint;
  email: string;
  phone: string;
  department: string;
  avatar: string;
  unique_code: string;
  ext_info: string;
  status: 'active' | 'disabled';
  revision: bigint;
}

/** The columns of a role under the names that they have in a join; null where nothing was joined. */
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
  return {
    id: row.id,
    username: row.username,
    realName: row.real_name,
    nickname: row.nickname,
    gender: Number(row.gender),
    email: row.email,
    phone: row.phone,
    department: row.department,
    avatar: row.avatar,
    uniqueCode: row.unique_code,
    extInfo: row.ext_info,
    status: row.status,
    revision: row.revision,
  };
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

/** The columns of the fields to change. */
export function toUserColumns(changes: UserChanges): Partial<Schema['user']> {
  const { realName, nickname, gender, email, phone, department, avatar, uniqueCode, extInfo, passwordHash } =
    changes;
  return {
    ...(realName !== undefined && { real_name: realName }),
    ...(nickname !== undefined && { nickname }),
    ...(gender !== undefined && { gender: BigInt(gender) }),
    ...(email !== undefined && { email }),
    ...(phone !== undefined && { phone }),
    ...(department !== undefined && { department }),
    ...(avatar !== undefined && { avatar }),
    ...(uniqueCode !== undefined && { unique_code: uniqueCode }),
    ...(extInfo !== undefined && { ext_info: extInfo }),
    ...(passwordHash !== undefined && { password_hash: passwordHash }),
  };
}
