import type { SeededRandom } from '../../e2e/seeded-random.ts';
import { seeded, storeCode, username } from '../directory/seeded-user.ts';

// The data that the requests of the load and the statements of the baselines have in common.

const storesOfUser = 10;

/** A prime, so that every user gets a turn before any user gets a second one, and neighbours are far apart. */
const stride = 7_368_787;

/** A random user and a random store. */
export function randomBinding(random: SeededRandom, users: number) {
  return { user_id: random.integer(1, users), store_code: storeCode(random.integer(0, seeded.stores - 1)) };
}

export type GivenStores = ReturnType<typeof givenStores>;

/** Returns the batch with that number, from 0: existing users, each with ten stores other than before. */
export function givenBatch(number: number, entries: number, users: number): GivenStores[] {
  return Array.from({ length: entries }, (_, entry) => givenStores(number * entries + entry, users));
}

function givenStores(position: number, users: number) {
  const id = 1 + ((position * stride) % users);
  const first = storesOfUser * id + 5_003 * Math.floor(position / users);
  return { username: username(id), store_codes: tenStores(first) };
}

function tenStores(first: number): string[] {
  return Array.from({ length: storesOfUser }, (_, index) => storeCode((first + 997 * index) % seeded.stores));
}

/** The number of users whose stores are replaced in turn. */
export const usersInTurn = 10;

/** One of two disjoint sets of stores. Replacements alternate between them. */
export function storeSet(half: number, stores: number): string[] {
  const step = Math.floor(seeded.stores / 2 / stores);
  return Array.from({ length: stores }, (_, index) => storeCode(2 * index * step + half));
}

const importedRows = 50_000;

/** Returns the rows of the import with that number, from 0. No two imports have a row in common. */
export function importedStores(number: number): [code: string, name: string, address: string][] {
  return Array.from({ length: importedRows }, (_, position) => {
    const index = importedRows * number + position;
    return [`T${String(index).padStart(9, '0')}`, `Store ${index}`, `${index} High Street`];
  });
}
