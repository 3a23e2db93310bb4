import { type AuditedOperation, limits } from '@fieldroster/contract';
import {
  type ConsoleData,
  type ConsoleInput,
  type ConsoleOperations,
  consoleLimits,
} from '@fieldroster/contract/console';
import type { AuditEvent, DirectoryReader, DirectoryWriter, UserState } from '../../database/database.ts';
import { describeStores } from '../../directory/profile-changes.ts';
import { storesNotFound, tooManyStores } from '../../directory/store-codes.ts';
import { ApiError } from '../../errors/api-error.ts';
import { runWithTimeFor } from '../../pipeline/call-deadline.ts';
import { TimeSlice } from '../../slices/time-slice.ts';
import type { ConsoleHandler, TenantContext } from '../console-context.ts';
import { type NameOf, type PlannedChange, planChange } from './plan-user-change.ts';

type ChangeUsers = ConsoleOperations['changeUsers'];
type Wanted = ConsoleInput<ChangeUsers>;
type ChangeContext = TenantContext<ChangeUsers>;

/** Changes several users in one transaction, with an audit row for each; a dry run only reports what would change. */
export const changeUsers: ConsoleHandler<ChangeUsers> = async (wanted, context) => {
  const { parts, tenantId, claim } = context;
  requireDistinct(wanted);
  const reader = parts.database.directory(tenantId);
  const announced = await countStores(wanted, reader);
  if (wanted.dry_run === true) {
    requireFewStores(announced);
    return present(await plan(wanted, reader, context));
  }
  return runWithTimeFor(announced, (requireTimeFor) =>
    parts.database.write(tenantId, claim, async (directory) => {
      // Not before: the repetition of a change that was made is known by its claim, and has more stores now.
      const stores = await countStores(wanted, directory);
      requireFewStores(stores);
      requireTimeFor(stores);
      const planned = await plan(wanted, directory, context);
      const changed = planned.filter(({ isChange }) => isChange);
      await apply(changed, directory);
      const [audit = noChange(context), ...more] = changed.map((change) => auditEvent(change, context));
      return { result: present(planned), audit, more };
    }),
  );
};

/** Users per statement: even if each has as many stores as it may, counting them takes milliseconds. */
const usersAtOnce = 4;

/**
 * Counts the stores of the users and those that they get, if the change is about stores at all. They bound its work,
 * which the number of users does not. Counting ends once there are more than one change may have.
 */
async function countStores(wanted: Wanted, { users }: DirectoryReader): Promise<number> {
  if (!concernsStores(wanted)) return 0;
  let stores = wanted.users.length * (wanted.add_store_codes?.length ?? 0);
  for (let start = 0; start < wanted.users.length && !areTooMany(stores); start += usersAtOnce) {
    const names = wanted.users.slice(start, start + usersAtOnce).map(({ username }) => username);
    for (const count of (await users.countStores(names, limits.storeCodesMax)).values()) stores += count;
  }
  return stores;
}

function concernsStores({ add_store_codes = [], remove_store_codes = [] }: Wanted): boolean {
  return add_store_codes.length + remove_store_codes.length > 0;
}

function areTooMany(stores: number): boolean {
  return stores > consoleLimits.storesOfChangeMax;
}

/** Throws 1001 when there are more than one change may have. */
function requireFewStores(stores: number): void {
  const max = consoleLimits.storesOfChangeMax;
  if (areTooMany(stores)) throw new ApiError(1001, { key: 'manyStoresToChange', values: { max } });
}

function requireDistinct({ users }: Wanted): void {
  const names = new Set<string>();
  for (const { username } of users) {
    if (names.has(username))
      throw new ApiError(1001, `users has ${JSON.stringify(username)} twice; send each user once`);
    names.add(username);
  }
}

/** Reads the users, which also locks them within a write, and returns what would change for each. */
async function plan(
  wanted: Wanted,
  directory: DirectoryReader,
  { refuse }: ChangeContext,
): Promise<PlannedChange[]> {
  const usernames = wanted.users.map(({ username }) => username);
  const withStores = new Set(concernsStores(wanted) ? usernames : []);
  const states = await directory.users.readStates(usernames, withStores);
  const nameOf = await readTargets(wanted, directory, refuse);
  const timeSlice = new TimeSlice();
  const planned: PlannedChange[] = [];
  for (const { username, revision } of wanted.users) {
    const state = states.get(username);
    if (state === undefined) {
      throw refuse(1101, { key: 'noUser', values: { username: JSON.stringify(username) } });
    }
    requirePreview(state, revision, refuse);
    const change = await planChange(wanted, state, nameOf, timeSlice);
    const { storesAdded, storesRemoved } = change;
    const stores = state.storeCodes.length + storesAdded.length - storesRemoved.length;
    if (storesAdded.length > 0 && stores > limits.storeCodesMax)
      throw tooManyStores(`user ${JSON.stringify(username)}`, stores);
    planned.push(change);
  }
  return planned;
}

function requirePreview(
  { user }: UserState,
  revision: bigint | undefined,
  refuse: ChangeContext['refuse'],
): void {
  if (revision === undefined || revision === user.revision) return;
  throw refuse(1017, { key: 'changedMeanwhile', values: { username: JSON.stringify(user.username) } });
}

/**
 * Throws unless the role, the organization and the stores exist. Returns a function that names roles and organizations,
 * and reads each of them once.
 */
async function readTargets(
  wanted: Wanted,
  directory: DirectoryReader,
  refuse: ChangeContext['refuse'],
): Promise<NameOf> {
  const { role_id = 0n, org_id = 0n, add_store_codes = [] } = wanted;
  const role = role_id === 0n ? undefined : await directory.roles.find(role_id);
  if (role_id !== 0n && role === undefined)
    throw refuse(1201, { key: 'noRole', values: { id: String(role_id) } });
  const org = org_id === 0n ? undefined : await directory.orgs.find(org_id);
  if (org_id !== 0n && org === undefined)
    throw refuse(1301, { key: 'noOrg', values: { id: String(org_id) } });
  const [unknown] = await directory.users.listUnknownStores(add_store_codes);
  if (unknown !== undefined) throw refuse(1401, storesNotFound([unknown]));
  return namesOf(directory, { role, org });
}

interface Named {
  readonly id: bigint;
  readonly name: string;
}

/** @param known targets that are read already */
function namesOf(
  directory: DirectoryReader,
  known: { readonly role: Named | undefined; readonly org: Named | undefined },
): NameOf {
  const names = new Map<string, string>();
  if (known.role !== undefined) names.set(`role ${known.role.id}`, known.role.name);
  if (known.org !== undefined) names.set(`org ${known.org.id}`, known.org.name);
  return async (field, id) => {
    if (id === undefined) return '';
    const key = `${field} ${id}`;
    let name = names.get(key);
    if (name === undefined) {
      const target = await (field === 'role' ? directory.roles : directory.orgs).find(id);
      name = target?.name ?? String(id);
      names.set(key, name);
    }
    return name;
  };
}

async function apply(changes: readonly PlannedChange[], directory: DirectoryWriter): Promise<void> {
  const timeSlice = new TimeSlice();
  for (const { state, roleLost, orgLost, status } of changes) {
    const { id } = state.user;
    if (roleLost !== undefined) await directory.deleteUserRole(id);
    if (orgLost !== undefined) await directory.deleteUserOrg(id);
    if (status !== undefined) await directory.users.setUserStatus(id, status);
    if (timeSlice.isOver()) await timeSlice.next();
  }
  await directory.users.saveUsers(changes.flatMap(({ save }) => save ?? []));
}

function present(planned: readonly PlannedChange[]): ConsoleData<ChangeUsers> {
  const users = planned.map(({ state, changes, storesAdded, storesRemoved }) => ({
    id: state.user.id,
    username: state.user.username,
    real_name: state.user.realName,
    revision: state.user.revision,
    changes: [...changes],
    stores_added: [...storesAdded],
    stores_removed: [...storesRemoved],
  }));
  return { changed: planned.filter(({ isChange }) => isChange).length, users };
}

function auditEvent(change: PlannedChange, context: ChangeContext): AuditEvent {
  const { storesAdded: added, storesRemoved: removed, audited, state } = change;
  const changes = { ...audited, ...describeStores({ added, removed }) };
  return { ...noChange(context), userId: state.user.id, changes };
}

function noChange({ actor, requestId }: ChangeContext): AuditEvent {
  return { actor, requestId, operation: 'change-users' satisfies AuditedOperation, changes: {} };
}
