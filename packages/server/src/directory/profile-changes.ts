import type { AuditWords, UserFields } from '@fieldroster/contract';
import type {
  StoreBindingDifference,
  UserChanges,
  UserRecord,
  UserState,
  UserToChange,
} from '../database/database.ts';
import { emptyValue, userFieldList } from '../database/user-columns.ts';

/** Returns the fields that were sent, including an empty string or a gender of 0, which clear the field. */
export function profileChangesOf(input: UserFields): UserChanges {
  const sent = userFieldList.filter(({ name }) => input[name] !== undefined);
  return Object.fromEntries(sent.map(({ name, property }) => [property, input[name]]));
}

/** Returns the changes that differ from the user's current values, for the update and the audit. */
export function differingChanges(user: UserRecord, changes: UserChanges): UserChanges {
  const differing = userFieldList.filter(
    ({ property }) => changes[property] !== undefined && changes[property] !== user[property],
  );
  const { passwordHash } = changes;
  return {
    ...Object.fromEntries(differing.map(({ property }) => [property, changes[property]])),
    ...(passwordHash !== undefined && { passwordHash }),
  };
}

/**
 * Returns the audit row's description of changes: old and new values, but for a password only what happened to it. An
 * empty field of a new user is no change.
 */
export function describeChanges(
  user: UserToChange | undefined,
  changes: UserChanges,
): Record<string, unknown> {
  const changed = userFieldList.filter((field) => {
    const value = changes[field.property];
    return value !== undefined && (user !== undefined || value !== emptyValue(field));
  });
  return {
    ...Object.fromEntries(
      changed.map(({ name, property }) => [
        name,
        user === undefined ? { to: changes[property] } : { from: user[property], to: changes[property] },
      ]),
    ),
    ...(changes.passwordHash !== undefined && passwordChange(user)),
  };
}

function passwordChange(user: UserToChange | undefined): AuditWords {
  return { password: user?.hasPassword ? 'replaced' : 'set' };
}

/** Returns the audit row's description of a user's gained and lost stores, without empty lists. */
export function describeStores({ added, removed }: StoreBindingDifference): {
  readonly stores?: Partial<StoreBindingDifference>;
} {
  if (added.length + removed.length === 0) return {};
  return { stores: { ...(added.length > 0 && { added }), ...(removed.length > 0 && { removed }) } };
}

/** Returns the audit row's description of a removed user: everything removed except the password. */
export function describeRemoval(user: UserRecord, bound: UserState | undefined): Record<string, unknown> {
  const set = userFieldList.filter((field) => user[field.property] !== emptyValue(field));
  return {
    username: { from: user.username },
    status: { from: user.status },
    ...Object.fromEntries(set.map(({ name, property }) => [name, { from: user[property] }])),
    ...(bound?.roleId !== undefined && { role_id: { from: bound.roleId } }),
    ...(bound?.orgId !== undefined && { org_id: { from: bound.orgId } }),
    ...(bound !== undefined && bound.storeCodes.length > 0 && { stores: { removed: bound.storeCodes } }),
  };
}
