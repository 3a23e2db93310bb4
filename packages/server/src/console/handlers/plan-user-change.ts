import type { ConsoleData, ConsoleInput, ConsoleOperations } from '@fieldroster/contract/console';
import type { UserState, UserStatus, UserToSave } from '../../database/database.ts';
import type { TimeSlice } from '../../slices/time-slice.ts';
import { without } from '../../slices/without.ts';

type ChangeUsers = ConsoleOperations['changeUsers'];
type Change = ConsoleData<ChangeUsers>['users'][number]['changes'][number];

/** Returns the name of a role or an organization; '' for none. */
export type NameOf = (field: 'role' | 'org', id: bigint | undefined) => Promise<string>;

export interface PlannedChange {
  readonly state: UserState;
  readonly isChange: boolean;
  readonly changes: readonly Change[];
  readonly storesAdded: readonly string[];
  readonly storesRemoved: readonly string[];
  /** In the form of the audit row. */
  readonly audited: Readonly<Record<string, unknown>>;
  /** The bindings to save, if any. */
  readonly save: UserToSave | undefined;
  readonly roleLost: bigint | undefined;
  readonly orgLost: bigint | undefined;
  readonly status: UserStatus | undefined;
}

/** Compares a user with what is wanted. Compares the stores, of which the user may have many, in slices of time. */
export async function planChange(
  wanted: ConsoleInput<ChangeUsers>,
  state: UserState,
  nameOf: NameOf,
  timeSlice: TimeSlice,
): Promise<PlannedChange> {
  const { user, roleId, orgId } = state;
  const role = differing(wanted.role_id, roleId);
  const org = differing(wanted.org_id, orgId);
  const status = wanted.status === user.status ? undefined : wanted.status;
  const storesAdded = await without(new Set(wanted.add_store_codes), state.storeCodes, timeSlice);
  const removed = new Set(wanted.remove_store_codes);
  const storesRemoved = state.storeCodes.filter((code) => removed.has(code));
  const changes: Change[] = [];
  if (role !== undefined) changes.push(await targetChange('role', role, nameOf));
  if (org !== undefined) changes.push(await targetChange('org', org, nameOf));
  if (status !== undefined) changes.push({ field: 'status', from: user.status, to: status });
  return {
    state,
    isChange: changes.length + storesAdded.length + storesRemoved.length > 0,
    changes,
    storesAdded,
    storesRemoved,
    audited: {
      ...(role && { role_id: audited(role) }),
      ...(org && { org_id: audited(org) }),
      ...(status && { status: { from: user.status, to: status } }),
    },
    save: bindingsToSave(state, { roleId: role?.to, orgId: org?.to, storesAdded, storesRemoved }),
    roleLost: role?.to === undefined ? role?.from : undefined,
    orgLost: org?.to === undefined ? org?.from : undefined,
    status,
  };
}

interface Difference {
  /** `undefined` for none. */
  readonly from: bigint | undefined;
  readonly to: bigint | undefined;
}

function differing(wanted: bigint | undefined, present: bigint | undefined): Difference | undefined {
  if (wanted === undefined || wanted === (present ?? 0n)) return undefined;
  return { from: present, to: wanted === 0n ? undefined : wanted };
}

function audited({
  from = null,
  to = null,
}: {
  from?: bigint | null | undefined;
  to?: bigint | null | undefined;
}) {
  return { from, to };
}

async function targetChange(
  field: 'role' | 'org',
  { from, to }: Difference,
  nameOf: NameOf,
): Promise<Change> {
  return { field, from: await nameOf(field, from), to: await nameOf(field, to) };
}

interface NewBindings extends Pick<PlannedChange, 'storesAdded' | 'storesRemoved'> {
  readonly roleId: bigint | undefined;
  readonly orgId: bigint | undefined;
}

function bindingsToSave(
  { user }: UserState,
  { roleId, orgId, storesAdded, storesRemoved }: NewBindings,
): UserToSave | undefined {
  if (roleId === undefined && orgId === undefined && storesAdded.length + storesRemoved.length === 0)
    return undefined;
  return {
    username: user.username,
    existing: user,
    fields: {},
    ...(roleId !== undefined && { roleId }),
    ...(orgId !== undefined && { orgId }),
    storesAdded,
    storesRemoved,
  };
}
