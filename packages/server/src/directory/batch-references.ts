import { limits } from '@fieldroster/contract';
import { type Problem, problemInEnglish } from '@fieldroster/contract/problems';
import type { UserManagementReader } from '../database/database.ts';
import { slicesOf } from '../slices/slices-of.ts';
import type { TimeSlice } from '../slices/time-slice.ts';
import type { BatchEntry, RefusedEntry } from './batch-entries.ts';
import { newUsernameProblem } from './new-username.ts';
import { storesNotFound } from './store-codes.ts';

/** Ids or codes per database query. */
const keysPerQuery = 1_000;

/** Number of keys known to exist that are cached, so that most are queried once; a batch may name millions. */
const cachedKeysMax = 100_000;

/** Separates the entries that name only existing things, and only permitted new usernames, from the others. */
export async function checkReferences(
  users: UserManagementReader,
  entries: readonly BatchEntry[],
  timeSlice: TimeSlice,
) {
  const questions: Questions = {
    roles: new Question((ids) => users.listUnknownRoles(ids)),
    orgs: new Question((ids) => users.listUnknownOrgs(ids)),
    stores: new Question((codes) => users.listUnknownStores(codes)),
  };
  const known: BatchEntry[] = [];
  const refused: RefusedEntry[] = [];
  const unnamable = await findUnnamable(users, entries);
  for (const slice of slicesOf(entries, entriesAtOnce)) {
    await askAll(questions, slice, timeSlice);
    for (const entry of slice) {
      const problem = problemOf(entry, questions, unnamable);
      if (problem === undefined) known.push(entry);
      else refused.push(problem);
      if (timeSlice.isOver()) await timeSlice.next();
    }
  }
  return { known, refused };
}

const entriesAtOnce = {
  countMax: keysPerQuery,
  weightMax: 5 * keysPerQuery,
  weightOf: ({ storeCodes = [] }: BatchEntry) => storeCodes.length,
};

interface Questions {
  readonly roles: Question<bigint>;
  readonly orgs: Question<bigint>;
  readonly stores: Question<string>;
}

async function askAll(
  { roles, orgs, stores }: Questions,
  entries: readonly BatchEntry[],
  timeSlice: TimeSlice,
) {
  await roles.ask(
    entries.flatMap(({ roleId }) => roleId ?? []),
    timeSlice,
  );
  await orgs.ask(
    entries.flatMap(({ orgId }) => orgId ?? []),
    timeSlice,
  );
  await stores.ask(
    entries.flatMap(({ storeCodes = [] }) => storeCodes),
    timeSlice,
  );
}

function problemOf(
  entry: BatchEntry,
  { roles, orgs, stores }: Questions,
  unnamable: ReadonlySet<string>,
): RefusedEntry | undefined {
  const { index, username, roleId, orgId, storeCodes = [] } = entry;
  const refuse = (code: RefusedEntry['code'], fault: Problem) => ({
    index,
    username,
    code,
    message: problemInEnglish(fault),
    fault,
  });
  const unnamableAs = unnamable.has(username)
    ? newUsernameProblem(username, `users[${index}].username`)
    : undefined;
  if (unnamableAs !== undefined) return refuse(1001, unnamableAs);
  if (roleId !== undefined && roles.isUnknown(roleId))
    return refuse(1201, { key: 'noRole', values: { id: String(roleId) } });
  if (orgId !== undefined && orgs.isUnknown(orgId))
    return refuse(1301, { key: 'noOrg', values: { id: String(orgId) } });
  const missing = storeCodes.filter((code) => stores.isUnknown(code));
  return missing.length === 0 ? undefined : refuse(1401, storesNotFound(missing, { of: 'ofEntry' }));
}

/** Returns the usernames that do not exist and that no new user may have. */
async function findUnnamable(
  users: UserManagementReader,
  entries: readonly BatchEntry[],
): Promise<ReadonlySet<string>> {
  const usernames = entries
    .map(({ username }) => username)
    .filter((username) => newUsernameProblem(username) !== undefined);
  if (usernames.length === 0) return new Set();
  const existing = await users.readStates(usernames.toSorted(), new Set());
  return new Set(usernames.filter((username) => !existing.has(username)));
}

/** Asks the database, slice by slice, which keys do not exist. */
class Question<Key extends bigint | string> {
  readonly #listUnknown: (keys: readonly Key[]) => Promise<Key[]>;
  #known = new Set<Key>();
  /** Unknown keys of the last `ask`. */
  #unknown = new Set<Key>();

  constructor(listUnknown: (keys: readonly Key[]) => Promise<Key[]>) {
    this.#listUnknown = listUnknown;
  }

  async ask(keys: readonly Key[], timeSlice: TimeSlice): Promise<void> {
    const open = [...new Set(keys.filter((key) => !this.#known.has(key)))];
    this.#unknown = new Set(open.filter(isTooLong));
    const asked = open.filter((key) => !isTooLong(key));
    for (let start = 0; start < asked.length; start += keysPerQuery) {
      const some = asked.slice(start, start + keysPerQuery);
      for (const key of await this.#listUnknown(some)) this.#unknown.add(key);
      this.#keepKnown(some);
      if (timeSlice.isOver()) await timeSlice.next();
    }
  }

  isUnknown(key: Key): boolean {
    return this.#unknown.has(key);
  }

  #keepKnown(keys: readonly Key[]): void {
    if (this.#known.size > cachedKeysMax) this.#known = new Set();
    for (const key of keys) if (!this.#unknown.has(key)) this.#known.add(key);
  }
}

/** Returns whether a key is too long for a store code. A character has at most two code units. */
function isTooLong(key: bigint | string): boolean {
  return typeof key === 'string' && key.length > 2 * limits.storeCodeCharactersMax;
}
