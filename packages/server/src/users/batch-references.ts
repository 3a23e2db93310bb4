import { setImmediate as nextTurn } from 'node:timers/promises';
import type { UserManagementReader } from '../store/store.ts';
import type { BatchEntry, RefusedEntry } from './batch-entries.ts';
import { newUsernameProblem } from './new-username.ts';
import { storesNotFound } from './store-codes.ts';

const askedAtOnce = 5_000;

/** Tells the entries that name only what exists, and only what may be created, from those that do not. */
export async function checkReferences(users: UserManagementReader, entries: readonly BatchEntry[]) {
  const roles = await ask(
    entries.map(({ roleId }) => roleId),
    (ids) => users.listUnknownRoles(ids),
  );
  const orgs = await ask(
    entries.map(({ orgId }) => orgId),
    (ids) => users.listUnknownOrgs(ids),
  );
  const stores = await ask(
    entries.flatMap(({ storeCodes = [] }) => storeCodes),
    (codes) => users.listUnknownStores(codes),
  );
  const unnamable = await findUnnamable(users, entries);
  const refused = entries.flatMap((entry) => problemOf(entry, { roles, orgs, stores, unnamable }) ?? []);
  const refusedIndexes = new Set(refused.map(({ index }) => index));
  return { known: entries.filter(({ index }) => !refusedIndexes.has(index)), refused };
}

interface Unknown {
  readonly roles: ReadonlySet<bigint>;
  readonly orgs: ReadonlySet<bigint>;
  readonly stores: ReadonlySet<string>;
  readonly unnamable: ReadonlySet<string>;
}

function problemOf(entry: BatchEntry, unknown: Unknown): RefusedEntry | undefined {
  const { index, username, roleId, orgId, storeCodes = [] } = entry;
  const refuse = (code: RefusedEntry['code'], message: string) => ({ index, username, code, message });
  if (unknown.unnamable.has(username)) {
    return refuse(1001, `users[${index}].username ${newUsernameProblem(username)}`);
  }
  if (roleId !== undefined && unknown.roles.has(roleId)) return refuse(1201, `no role has id ${roleId}`);
  if (orgId !== undefined && unknown.orgs.has(orgId)) {
    return refuse(1301, `no organization has id ${orgId}`);
  }
  const missing = unknown.stores.size === 0 ? [] : storeCodes.filter((code) => unknown.stores.has(code));
  return missing.length === 0 ? undefined : refuse(1401, storesNotFound(missing));
}

/** The usernames that only an existing user may have, and that nobody has. */
async function findUnnamable(
  users: UserManagementReader,
  entries: readonly BatchEntry[],
): Promise<ReadonlySet<string>> {
  const usernames = entries.map(({ username }) => username).filter(newUsernameProblem);
  if (usernames.length === 0) return new Set();
  const existing = await users.readStates(usernames.toSorted());
  return new Set(usernames.filter((username) => !existing.has(username)));
}

async function ask<Key>(
  keys: readonly (Key | undefined)[],
  listUnknown: (keys: readonly Key[]) => Promise<Key[]>,
): Promise<ReadonlySet<Key>> {
  const distinct = [...new Set(keys)].filter((key) => key !== undefined);
  const unknown = new Set<Key>();
  for (let start = 0; start < distinct.length; start += askedAtOnce) {
    for (const key of await listUnknown(distinct.slice(start, start + askedAtOnce))) unknown.add(key);
    await nextTurn();
  }
  return unknown;
}
