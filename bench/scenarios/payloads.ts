import { familyName, orgOf, roleOf, seeded, storeCode, username } from '../directory/seeded-user.ts';

// The data that the requests of the load and the statements of the baselines have in common.

const storesOfUser = 10;

/** A prime, so that every user gets a turn before the first gets another, and neighbours are far apart. */
const stride = 7_368_787;

/** An existing user with ten other stores than before. */
export function givenStores(position: number, users: number) {
  const id = 1 + ((position * stride) % users);
  const first = storesOfUser * id + 5_003 * Math.floor(position / users);
  return { username: username(id), store_codes: tenStores(first) };
}

function tenStores(first: number): string[] {
  return Array.from({ length: storesOfUser }, (_, index) => storeCode((first + 997 * index) % seeded.stores));
}

/** The number of users whose stores are replaced in turn. */
export const usersOfReplacement = 10;

/** One of two disjoint sets of stores. Replacements alternate between them. */
export function batchCodes(half: number, stores: number): string[] {
  const step = Math.floor(seeded.stores / 2 / stores);
  return Array.from({ length: stores }, (_, index) => storeCode(2 * index * step + half));
}

/** The number of rows in an imported file. */
export const importedRows = 50_000;

/** The rows of the import with that number, from 0. No two imports have a row in common. */
export function rowsOfImport<Row>(number: number, rowOf: (index: number) => Row): Row[] {
  return Array.from({ length: importedRows }, (_, index) => rowOf(importedRows * number + index));
}

/** The rows as a CSV file with a column for each property. No value needs quotes. */
export function csvOf(rows: readonly object[]): string {
  const header = Object.keys(rows[0] ?? {});
  return [header, ...rows.map(Object.values), ''].join('\n');
}

/** A store, in the order of the codes. */
export function importedStore(index: number) {
  return {
    code: `T${String(index).padStart(9, '0')}`,
    name: `Store ${index}`,
    address: `${index} High Street`,
  };
}

export function importedUser(index: number) {
  return {
    username: `imported.${String(index).padStart(9, '0')}`,
    real_name: `Imported ${familyName(index)}`,
    department: `Sales ${index % 40}`,
    role_id: roleOf(index),
    org_id: orgOf(index),
    store_codes: storeCode(index % seeded.stores),
  };
}
