/** What every seeded directory holds besides its users. */
export const seeded = { stores: 20_000, roles: 20, orgs: 200 } as const;

/** Code of the store with that number, from 0. */
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

/** Every tenth user looks after no store. */
const usersPerGroup = 10;

/** About as many users share a store in a small directory as in a large one, so that pages are equally long. */
const usersPerStore = 100;

/** How many of the stores have users. */
export function usedStores(users: number): number {
  return Math.max(1, Math.min(seeded.stores, Math.floor(users / usersPerStore)));
}

/** Number of the one store that the user looks after, if there is one. */
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

/** One of 4,096 family names; those of users with neighbouring ids differ. */
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

/** What the interface answers of a seeded user besides its id, role and organization. */
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
