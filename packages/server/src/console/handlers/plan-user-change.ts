import type { ConsoleData, ConsoleInput, ConsoleOperations } from '@fieldroster/contract/console';
import type { DirectoryReader, UserState, UserStatus, UserToSave } from '../../database/database.ts';

type ChangeUsers = ConsoleOperations['changeUsers'];
type Change = ConsoleData<ChangeUsers>['users'][number]['changes'][number];

/** Names of roles and organizations by kind and id; those that the users have now are added as they are read. */
export interface Targets {
  readonly names: Map<string, string>;
}

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

/** Compares a user with what is wanted. */
export async function planChange(
  wanted: ConsoleInput<ChangeUsers>,
  state: UserState,
  targets: Targets,
  directory: DirectoryReader,
): Promise<PlannedChange> {
  const { user, roleId, orgId } = state;
  const role = differing(wanted.role_id, roleId);
  const org = differing(wanted.org_id, orgId);
  const status = wanted.status === user.status ? undefined : wanted.status;
  const storesAdded = without(wanted.add_store_codes, state.storeCodes);
  const removed = new Set(wanted.remove_store_codes);
  const storesRemoved = state.storeCodes.filter((code) => removed.has(code));
  const changes: Change[] = [];
  if (role !== undefined) changes.push(await targetChange('role', role, targets, directory));
  if (org !== undefined) changes.push(await targetChange('org', org, targets, directory));
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

function without(codes: readonly string[] = [], present: readonly string[]): string[] {
  const known = new Set(present);
  return [...new Set(codes)].filter((code) => !known.has(code));
}

async function targetChange(
  field: 'role' | 'org',
  { from, to }: Difference,
  { names }: Targets,
  directory: DirectoryReader,
): Promise<Change> {
  const nameOf = async (id: bigint | undefined) => {
    if (id === undefined) return '';
    const key = `${field} ${id}`;
    const known = names.get(key);
    if (known !== undefined) return known;
    const target = await (field === 'role' ? directory.roles : directory.orgs).find(id);
    names.set(key, target?.name ?? String(id));
    return names.get(key) ?? '';
  };
  return { field, from: await nameOf(from), to: await nameOf(to) };
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
