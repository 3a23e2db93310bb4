import { SeededRandom } from '../../e2e/seeded-random.ts';
import type { Traffic, TrafficOf } from '../contenders/under-load.ts';
import { seeded, storeCode, username } from '../directory/seeded-user.ts';
import type { PlainRequest } from '../load/requests.ts';
import { batchCodes, givenStores, usersOfReplacement } from './payloads.ts';

type OneRequest = (index: number) => PlainRequest;

/** The connections of every load, unless it says otherwise. */
export const connections = 32;

/** The default length of a page. */
export const pageUsers = 50;

/** The number of different requests that reads repeat. */
const distinctReads = 20_000;

// More requests than a server answers in the first round, whose rate is unknown.
const [readsAtFirst, queriesAtFirst, writesAtFirst] = [100_000, 150_000, 60_000];

/** Requests that are sent repeatedly; the index counts within a round. */
export function reads(request: OneRequest): Traffic {
  return {
    connections,
    once: false,
    firstCount: distinctReads,
    requests: (count) => each(0, count, request),
  };
}

/** Requests that are sent once in a run; the index counts through all rounds. */
export function writes(request: OneRequest, firstCount = writesAtFirst): Traffic {
  let sent = 0;
  return {
    connections,
    once: true,
    firstCount,
    requests: (count) => {
      sent += count;
      return each(sent - count, count, request);
    },
  };
}

function* each(first: number, count: number, request: OneRequest): Generator<PlainRequest> {
  for (let index = first; index < first + count; index += 1) yield request(index);
}

/** The same reads, each with a different target, so that the server cannot answer from memory. */
export function neverRepeated(trafficOf: TrafficOf): TrafficOf {
  return (users) => {
    const traffic = trafficOf(users);
    let sent = 0;
    return {
      ...traffic,
      once: true,
      firstCount: readsAtFirst,
      *requests(count) {
        for (const request of traffic.requests(count)) {
          sent += 1;
          yield { ...request, target: withNumber(request.target, sent) };
        }
      },
    };
  };
}

/**
 * Makes a target unique without changing its meaning. GET /user ignores an unknown parameter. A list refuses one, so its
 * limit gets leading zeros, percent-encoded or not.
 */
function withNumber(target: string, number: number): string {
  if (!target.startsWith('/users')) return `${target}&unheard=${number}`;
  const bits = number.toString(2).padStart(zerosOfLimit, '0');
  const zeros = bits.replaceAll('0', '%30').replaceAll('1', '0');
  const { pathname, searchParams } = new URL(target, 'http://localhost');
  const limit = searchParams.get('limit') ?? pageUsers;
  searchParams.delete('limit');
  return `${pathname}?${[searchParams, `limit=${zeros}${limit}`].join('&')}`;
}

/** Enough for the requests of a run. The server reads integers of up to 40 digits. */
const zerosOfLimit = 24;

/** Queries of the same random users in every round, by id and by username in turn. */
export function queryUserTraffic(users: number): Traffic {
  return { ...reads(queryOne(users, 1)), requests: (count) => each(0, count, queryOne(users, 1)) };
}

/** Queries of random users, each sent once. */
export function queryUserOnceTraffic(users: number): Traffic {
  return writes(queryOne(users, 2), queriesAtFirst);
}

function queryOne(users: number, seed: number): OneRequest {
  const random = new SeededRandom(seed);
  return (index) => {
    const id = random.integer(1, users);
    return get('/user', index % 2 === 0 ? { user_id: id } : { username: username(id) });
  };
}

/** Binds random users to random stores. Nearly every binding is new. */
export function bindUserStoreTraffic(users: number): Traffic {
  return writes(bindOne(users, 2));
}

function bindOne(users: number, seed: number): OneRequest {
  const random = new SeededRandom(seed);
  return () => {
    const user_id = random.integer(1, users);
    const store_code = storeCode(random.integer(0, seeded.stores - 1));
    return post('/user/store', { user_id, store_code });
  };
}

/** Nine queries and one new binding in turn. */
export function mixedTraffic(users: number): Traffic {
  const query = queryOne(users, 1);
  const bind = bindOne(users, 7);
  return writes((index) => (index % 10 === 9 ? bind : query)(index));
}

/** Batches of existing users, each of whom gets ten other stores than before, over one connection. */
export function batchTraffic(users: number, entries: number): Traffic {
  const batch = (index: number) =>
    post('/users/batch', {
      users: Array.from({ length: entries }, (_, entry) => givenStores(index * entries + entry, users)),
    });
  const counts = `"created":0,"updated":${entries},"unchanged":0,"failed":0`;
  return {
    ...writes(batch, Math.ceil(100_000 / entries)),
    connections: 1,
    successPrefix: `{"code":0,"message":"","data":{"applied":true,${counts}`,
  };
}

/** Reads of random users from another project's server. */
export function readsOfUsers(users: number, method: string, targetOf: (userId: number) => string): Traffic {
  const random = new SeededRandom(3);
  return reads(() => ({ method, target: targetOf(random.integer(1, users)) }));
}

/** A request with its parameters in the query. */
export function get(path: string, parameters: Record<string, unknown>): PlainRequest {
  const query = Object.entries(parameters).map(([name, value]) => `${name}=${value}`);
  return { method: 'GET', target: `${path}?${query.join('&')}` };
}

/** A request with its parameters in the body. */
export function post(path: string, body: Record<string, unknown>): PlainRequest {
  return { method: 'POST', target: path, body: JSON.stringify(body) };
}

/** Replaces all stores of a few users in turn, over one connection. */
export function replacementTraffic(stores: number): Traffic {
  const replacement = (index: number) =>
    post('/user/stores', {
      username: username(1 + (index % usersOfReplacement)),
      store_codes: batchCodes(Math.floor(index / usersOfReplacement) % 2, stores),
    });
  return { ...writes(replacement, 1_000_000 / stores), connections: 1 };
}

export const passwordsAtOnce = 8;

/** Creates users with passwords, over enough connections to keep the hashing threads busy. */
export function createUserTraffic(): Traffic {
  const creation = (index: number) => {
    const username = `created.${index}`;
    return post('/user', { username, password: `pass of ${username}`, real_name: 'Newly Created' });
  };
  return { ...writes(creation, 2_000), connections: passwordsAtOnce };
}
