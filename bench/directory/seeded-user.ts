/** Counts of the other rows in every seeded directory. */
export const seeded = { stores: 20_000, roles: 20, orgs: 200 } as const;

/** Code of the store with that index, from 0. */
export function storeCode(index: number): string {
  return `S${String(index).padStart(7, '0')}`;
}

/** Login name of the user with that id, from 1. */
export function username(id: number): string {
  return `user.${String(id).padStart(7, '0')}`;
}

export function roleOf(id: number): number {
  return 1 + (id % seeded.roles);
}

export function orgOf(id: number): number {
  return 1 + (id % seeded.orgs);
}

/** Every tenth user has no store. */
const usersPerGroup = 10;

/** About the same in small and large directories, so that their pages are equally long. */
const usersPerStore = 100;

/** Returns the number of stores with users. */
export function usedStores(users: number): number {
  return Math.max(1, Math.min(seeded.stores, Math.floor(users / usersPerStore)));
}

/** Index of the user's only store, if any. */
export function storeOf(id: number, users: number): number | undefined {
  return id % usersPerGroup === 0 ? undefined : Math.floor(id / usersPerGroup) % usedStores(users);
}

const givenNames = [
  ['Ann', 'Bel', 'Cor', 'Dan', 'Eli', 'Fio', 'Gre', 'Hen'],
  ['a', 'ette', 'ina', 'ius', 'o', 'ris', 'wen', 'y'],
] as const;

const familyNames = [
  ['Abel', 'Bach', 'Cald', 'Dorn', 'Eich', 'Falk', 'Gold', 'Horn'],
  ['er', 'in', 'om', 'ut', 'ay', 'ess', 'ill', 'ock'],
  ['berg', 'dale', 'feld', 'holm', 'lund', 'mann', 'sen', 'wood'],
  ['', 's', 'er', 'in', 'a', 'ic', 'ov', 'is'],
] as const;

/** One of 4,096 family names. Neighbouring ids have different ones. */
export function familyName(id: number): string {
  return nameOf(familyNames, scattered(id));
}

function scattered(id: number): number {
  return Math.imul(id, 0x9e3779b1) >>> 20;
}

/** Takes three bits of the number for each part. */
function nameOf(parts: readonly (readonly string[])[], number: number): string {
  return parts.map((choices, position) => choices[(number >>> (3 * position)) % 8]).join('');
}

/** Returns the profile in the answer to a query of a seeded user. */
export function profile(id: number) {
  return {
    username: username(id),
    real_name: `${nameOf(givenNames, id)} ${familyName(id)}`,
    nickname: `Rep ${id}`,
    gender: 1 + (id % 2),
    email: `rep${id}@example.com`,
    phone: `+49 30 ${1_000_000 + id}`,
    department: `Sales ${id % 40}`,
    avatar: `https://images.example.com/${id}.png`,
    unique_code: `E${id}`,
  };
}
