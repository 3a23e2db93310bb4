import { toCursor } from '../../packages/server/src/operations/page.ts';
import type { Traffic } from '../contenders/server-under-load.ts';
import { familyName, seeded, storeCode, usedStores } from '../directory/seeded-user.ts';
import { pageUsers, reads, target } from './operation-traffic.ts';
import { randomNumbers } from './random.ts';

export interface UserList {
  readonly name: string;
  readonly title: string;
  readonly traffic: (users: number) => Traffic;
}

/** The last pages that are asked for begin within so many users. */
const lastUsers = 200;

/** Every page is full, in a small directory as in a large one: a page that has nobody is a failure. */
const somebody = '{"code":0,"message":"","data":{"users":[{';

/** The ways to list users, each with another index behind it. */
export const userLists: readonly UserList[] = [
  list('first', 'first page', () => () => ({})),
  list('last', 'last page', (users, random) => () => ({
    cursor: toCursor([BigInt(users - pageUsers - random(lastUsers))]),
  })),
  list('role', 'of a role', (_users, random) => () => ({ role_id: 1 + random(seeded.roles) })),
  // Everybody is below the first one, in 200 organizations.
  list('org', 'of an organization and those below', () => () => ({ org_id: 1, include_children: true })),
  list('store', 'of a store', (users, random) => () => ({
    store_code: storeCode(random(usedStores(users))),
  })),
  list('unbound', 'without a store', (users, random) => () => ({
    unbound: 'store',
    cursor: toCursor([BigInt(random(Math.floor(users / 4)))]),
  })),
];

/** One at a time: how long a search takes, not how many of them one process bears. */
export function searchTraffic(users: number): Traffic {
  const random = randomBelow(5);
  const search = () => familyName(1 + random(users)).slice(1);
  return { ...reads(() => target('GET', '/users', { search: search() })), connections: 1 };
}

type Parameters = Record<string, unknown>;

function list(
  name: string,
  title: string,
  parametersOf: (users: number, random: (limit: number) => number) => () => Parameters,
): UserList {
  const traffic = (users: number) => {
    const parameters = parametersOf(users, randomBelow(4));
    const request = () => target('GET', '/users', { ...parameters(), limit: pageUsers });
    return { ...reads(request), successPrefix: somebody };
  };
  return { name, title: `GET /users, ${title}`, traffic };
}

function randomBelow(seed: number): (limit: number) => number {
  const random = randomNumbers(seed);
  return (limit) => Math.floor(random() * limit);
}
