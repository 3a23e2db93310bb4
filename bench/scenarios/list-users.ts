import { SeededRandom } from '../../e2e/seeded-random.ts';
import { toCursor } from '../../packages/server/src/operations/cursor.ts';
import type { Traffic, TrafficOf } from '../contenders/under-load.ts';
import { familyName, seeded, storeCode, usedStores } from '../directory/seeded-user.ts';
import { get, pageUsers, randomUser, reads } from './traffic.ts';

/** The last pages begin within this many users of the end. */
const lastUsers = 200;

/** A quarter of the usual number: of more lists at once, the server would refuse some for overload. */
const connections = 8;

/** Every page is full in small and large directories. An empty page is a failure. */
const somebody = '{"code":0,"message":"","data":{"users":[{';

/** The lists of users. Each uses a different index. */
export const userLists = [
  list('first', 'first page', () => ({})),
  list('last', 'last page', (users, random) => ({
    cursor: toCursor('list-users', [BigInt(users - pageUsers - random.integer(0, lastUsers - 1))]),
  })),
  list('role', 'of a role', (_users, random) => ({ role_id: random.integer(1, seeded.roles) })),
  // All 200 organizations are the first one or below it.
  list('org', 'of an organization and those below', () => ({ org_id: 1, include_children: true })),
  list('store', 'of a store', (users, random) => ({
    store_code: storeCode(random.integer(0, usedStores(users) - 1)),
  })),
  list('unbound', 'without a store', (users, random) => ({
    unbound: 'store',
    cursor: toCursor('list-users', [BigInt(random.integer(0, Math.floor(users / 4) - 1))]),
  })),
];

/** One connection, to measure the time of a search, not the rate. */
export function searchTraffic(users: number): Traffic {
  const search = (index: number) => familyName(randomUser(index, users)).slice(1);
  const request = (index: number) => get('/users', { search: search(index), limit: pageUsers });
  return { ...reads(request), connections: 1 };
}

function list(
  name: string,
  title: string,
  parametersOf: (users: number, random: SeededRandom) => Record<string, unknown>,
) {
  const trafficOf: TrafficOf = (users) => {
    const request = (index: number) =>
      get('/users', { ...parametersOf(users, new SeededRandom(index)), limit: pageUsers });
    return { ...reads(request), connections, successPrefix: somebody };
  };
  return { name, title, trafficOf };
}
