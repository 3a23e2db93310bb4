import { limits } from '@fieldroster/contract';
import type { UserManagementReader } from '../database/database.ts';
import { ApiError } from '../errors/api-error.ts';
import type { TimeSlice } from '../slices/time-slice.ts';
import { type BatchEntry, usernamesOf } from './batch-entries.ts';

/** Only a user who has at least this many stores more than its entry lists is counted in a statement of its own. */
const slack = 100;

/** Stores per statement: some milliseconds of work on an in-process engine. */
const storesAtOnce = 100_000;

const usersAtOnce = 1_000;

/** The stores that users have before a batch. */
export interface StoresBefore {
  /** By username; only of users whose stores the batch replaces. */
  readonly counts: ReadonlyMap<string, number>;
  /** How many stores fewer the users have afterwards, added up over those that have fewer. */
  readonly taken: number;
}

/**
 * Counts the stores that the entries replace. A short list can replace many of them, so the size of the request does not
 * bound the work; this does. Counting ends once there are too many.
 *
 * @throws {ApiError} 1001 when the entries take more stores than one request may
 */
export async function countStoresBefore(
  users: UserManagementReader,
  entries: readonly BatchEntry[],
  timeSlice: TimeSlice,
): Promise<StoresBefore> {
  const counts = new Map<string, number>();
  let taken = 0;
  for (const { slice, most } of similarEntries(entries)) {
    const counted = await users.countStores(usernamesOf(slice), most);
    for (const entry of slice) {
      let count = counted.get(entry.username) ?? 0;
      if (count > most) count = await countAll(users, entry);
      counts.set(entry.username, count);
      taken += Math.max(0, count - sentBy(entry));
      requireFewTaken(taken);
      if (timeSlice.isOver()) await timeSlice.next();
    }
  }
  return { counts, taken };
}

/** Counts the stores of one user, up to one more than an entry may take. */
async function countAll(users: UserManagementReader, entry: BatchEntry): Promise<number> {
  const { username } = entry;
  const counted = await users.countStores([username], sentBy(entry) + limits.batchStoresTakenMax);
  return counted.get(username) ?? 0;
}

function requireFewTaken(taken: number): void {
  const most = limits.batchStoresTakenMax;
  if (taken <= most) return;
  throw new ApiError(
    1001,
    `the batch would leave its users at least ${taken} stores fewer, and one request may take at most ${most}: send fewer users at once`,
  );
}

/**
 * Groups entries of similar length, so that one statement, which counts up to `most` stores of each user, never counts
 * many more than `storesAtOnce`. A user with more is counted again alone. Each such user loses at least `slack` stores,
 * so the limit ends the work soon.
 */
function* similarEntries(entries: readonly BatchEntry[]) {
  const replacing = entries.filter(({ storeCodes }) => storeCodes !== undefined);
  let slice: BatchEntry[] = [];
  let most = 0;
  for (const entry of replacing.toSorted((one, other) => sentBy(one) - sentBy(other))) {
    const mostWithEntry = sentBy(entry) + slack;
    const isFull = slice.length === usersAtOnce || (slice.length + 1) * mostWithEntry > storesAtOnce;
    if (isFull && slice.length > 0) {
      yield { slice, most };
      slice = [];
    }
    slice.push(entry);
    most = mostWithEntry;
  }
  if (slice.length > 0) yield { slice, most };
}

function sentBy({ storeCodes = [] }: BatchEntry): number {
  return storeCodes.length;
}
