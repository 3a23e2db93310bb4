import { toCursor } from '../../packages/server/src/operations/page.ts';
import type { Traffic } from '../contenders/under-load.ts';
import { familyName, seeded, storeCode, usedStores } from '../directory/seeded-user.ts';
import { randomNumbers } from './payloads.ts';
import { pageUsers, reads, target } from './traffic.ts';

export interface UserList {
  readonly name: string;
  readonly title: string;
  readonly traffic: (users: number) => Traffic;
}

/** The last pages begin within this many users of the end. */
const lastUsers = 200;

/** A quarter of the usual number: of more lists at once, the server would refuse some for overload. */
const connections = 8;

/** Every page is full in small and large directories. An empty page is a failure. */
const somebody = '{"code":0,"message":"","data":{"users":[{';

/** The lists of users. Each uses a different index. */
export const userLists: readonly UserList[] = [
  list('first', 'first page', () => () => ({})),
  list('last', 'last page', (users, random) => () => ({
    cursor: toCursor([BigInt(users - pageUsers - random(lastUsers))]),
  })),
  list('role', 'of a role', (_users, random) => () => ({ role_id: 1 + random(seeded.roles) })),
  // All 200 organizations are the first one or below it.
  list('org', 'of an organization and those below', () => () => ({ org_id: 1, include_children: true })),
  list('store', 'of a store', (users, random) => () => ({
    store_code: storeCode(random(usedStores(users))),
  })),
  list('unbound', 'without a store', (users, random) => () => ({
    unbound: 'store',
    cursor: toCursor([BigInt(random(Math.floor(users / 4)))]),
  })),
];

/** One connection, to measure the time of a search, not the rate. */
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
    return { ...reads(request), connections, successPrefix: somebody };
  };
  return { name, title: `GET /users, ${title}`, traffic };
}

function randomBelow(seed: number): (limit: number) => number {
  const random = randomNumbers(seed);
  return (limit) => Math.floor(random() * limit);
}
