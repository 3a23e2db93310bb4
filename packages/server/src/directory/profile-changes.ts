import type { UserChanges, UserRecord, UserState } from '../database/database.ts';

/** The fields that callers send, under their names on the wire. */
interface ProfileInput {
  readonly real_name?: string;
  readonly nickname?: string;
  readonly gender?: number;
  readonly email?: string;
  readonly phone?: string;
  readonly department?: string;
  readonly avatar?: string;
  readonly unique_code?: string;
  readonly ext_info?: string;
}

const wireNames = {
  realName: 'real_name',
  nickname: 'nickname',
  gender: 'gender',
  email: 'email',
  phone: 'phone',
  department: 'department',
  avatar: 'avatar',
  uniqueCode: 'unique_code',
  extInfo: 'ext_info',
} as const;

type Field = keyof typeof wireNames;

const fields = Object.keys(wireNames) as Field[];

/** The fields that were sent, an empty text or a gender of 0 among them: those clear. */
export function profileChangesOf(input: ProfileInput): UserChanges {
  const sent = fields.filter((field) => input[wireNames[field]] !== undefined);
  return Object.fromEntries(sent.map((field) => [field, input[wireNames[field]]]));
}

/** Those of the changes that differ from what the user has, for the update and the audit. */
export function differingChanges(user: UserRecord, changes: UserChanges): UserChanges {
  const differing = fields.filter((field) => changes[field] !== undefined && changes[field] !== user[field]);
  const { passwordHash } = changes;
  return {
    ...Object.fromEntries(differing.map((field) => [field, changes[field]])),
    ...(passwordHash !== undefined && { passwordHash }),
  };
}

/** What the audit row says of the changes: old and new values, and of a password only that it changed. */
export function describeChanges(user: UserRecord | undefined, changes: UserChanges): Record<string, unknown> {
  const changed = fields.filter((field) => changes[field] !== undefined);
  return {
    ...Object.fromEntries(
      changed.map((field) => [
        wireNames[field],
        user === undefined ? { to: changes[field] } : { from: user[field], to: changes[field] },
      ]),
    ),
    ...(changes.passwordHash !== undefined && { password: 'replaced' }),
  };
}

/** What the audit row says of a user who is removed: everything that goes, but for the password. */
export function describeRemoval(user: UserRecord, bound: UserState | undefined): Record<string, unknown> {
  const set = fields.filter((field) => user[field] !== '' && user[field] !== 0);
  return {
    username: { from: user.username },
    status: { from: user.status },
    ...Object.fromEntries(set.map((field) => [wireNames[field], { from: user[field] }])),
    ...(bound?.roleId !== undefined && { role_id: { from: bound.roleId } }),
    ...(bound?.orgId !== undefined && { org_id: { from: bound.orgId } }),
    ...(bound !== undefined && bound.storeCodes.length > 0 && { stores: { removed: bound.storeCodes } }),
  };
}
