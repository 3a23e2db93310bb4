import type { UserChanges, UserState, UserToChange, UserToSave } from '../database/database.ts';
import { sortInSlices } from '../slices/sort-in-slices.ts';
import type { TimeSlice } from '../slices/time-slice.ts';
import { without } from '../slices/without.ts';
import { describeChanges, differingChanges } from './profile-changes.ts';

/** The requested state of one user. A user with the username is updated; otherwise one is created. */
export interface UserEntry {
  readonly username: string;
  readonly sent: UserChanges;
  /** If absent, the binding stays as it is. */
  readonly roleId?: bigint;
  readonly orgId?: bigint;
  /** The exact set of stores, without duplicates; if absent, the bindings stay as they are. */
  readonly storeCodes?: readonly string[];
}

/** Returns the fields to write, and the audit row's description of them. */
export function planFields({ username, sent }: UserEntry, existing: UserToChange | undefined) {
  if (existing === undefined) {
    return { fields: sent, changes: { username: { to: username }, ...describeChanges(undefined, sent) } };
  }
  const fields = differingChanges(existing, sent);
  return { fields, changes: describeChanges(existing, fields) };
}

/** The work needed to bring the user to the entry's state. */
export interface UserPlan extends UserToSave {
  readonly outcome: 'created' | 'updated' | 'unchanged';
  /** The audit row's description of the changes, apart from those of stores. */
  readonly changes: Readonly<Record<string, unknown>>;
}

/** Compares the stores in slices of time. */
export async function planUser(
  entry: UserEntry,
  state: UserState | undefined,
  timeSlice: TimeSlice,
): Promise<UserPlan> {
  const { fields, changes } = planFields(entry, state?.user);
  const toSave = {
    username: entry.username,
    fields,
    ...(state !== undefined && { existing: state.user }),
    ...(entry.roleId !== undefined && entry.roleId !== state?.roleId && { roleId: entry.roleId }),
    ...(entry.orgId !== undefined && entry.orgId !== state?.orgId && { orgId: entry.orgId }),
    ...(await compareStores(state?.storeCodes ?? [], entry.storeCodes, timeSlice)),
  };
  return {
    ...toSave,
    outcome: state === undefined ? 'created' : isEmpty(toSave) ? 'unchanged' : 'updated',
    changes: { ...changes, ...describeBindings(toSave, state) },
  };
}

function isEmpty({ fields, roleId, orgId, storesAdded, storesRemoved }: UserToSave): boolean {
  const sets = Object.keys(fields).length + storesAdded.length + storesRemoved.length;
  return sets === 0 && roleId === undefined && orgId === undefined;
}

function describeBindings({ roleId, orgId }: UserToSave, state: UserState | undefined) {
  return {
    ...(roleId !== undefined && { role_id: { from: state?.roleId ?? null, to: roleId } }),
    ...(orgId !== undefined && { org_id: { from: state?.orgId ?? null, to: orgId } }),
  };
}

async function compareStores(
  before: readonly string[],
  after: readonly string[] | undefined,
  timeSlice: TimeSlice,
) {
  if (after === undefined) return { storesAdded: [], storesRemoved: [] };
  const added = await without(after, before, timeSlice);
  return {
    storesAdded: await sortInSlices(added, timeSlice),
    storesRemoved: await without(before, after, timeSlice),
  };
}
