import { SeededRandom } from '../../e2e/seeded-random.ts';
import type { Traffic, TrafficOf } from '../contenders/under-load.ts';
import { seeded, storeCode, username } from '../directory/seeded-user.ts';
import type { PlainRequest } from '../load/requests.ts';
import { batchCodes, givenStores, usersOfReplacement } from './payloads.ts';

/** The connections of every load, unless it says otherwise. */
export const connections = 32;

/** The default length of a page. */
export const pageUsers = 50;

/** Sends the same 20,000 requests again and again. */
export function reads(request: Traffic['request']): Traffic {
  return { connections, once: false, firstCount: 20_000, request };
}

/** Sends each request once, and prepares more for the first round than a server answers in it. */
function writes(request: Traffic['request'], firstCount = 60_000): Traffic {
  return { connections, once: true, firstCount, request };
}

/** Sends the same reads, each with a different target, so that the server cannot answer from memory. */
export function neverRepeated(trafficOf: TrafficOf): TrafficOf {
  return (users) => {
    const traffic = trafficOf(users);
    const request = (index: number) => {
      const { target, ...rest } = traffic.request(index);
      return { ...rest, target: withNumber(target, index) };
    };
    return { ...traffic, once: true, firstCount: 100_000, request };
  };
}

/** Enough for the requests of a run. The server reads integers of up to 40 digits. */
const zerosOfLimit = 24;

/**
 * Makes a target unique without changing its meaning. GET /user ignores an unknown parameter. A list refuses one, so its
 * limit, which comes last, gets leading zeros, percent-encoded or not.
 */
function withNumber(target: string, number: number): string {
  if (!target.startsWith('/users')) return `${target}&unheard=${number}`;
  const bits = number.toString(2).padStart(zerosOfLimit, '0');
  const zeros = bits.replaceAll('0', '%30').replaceAll('1', '0');
  return target.replace(/limit=(?=\d+$)/, `limit=${zeros}`);
}

/** Queries random users, by id and by username in turn. */
export function queryUserTraffic(users: number): Traffic {
  return reads(queryOne(users));
}

/** Sends each of the same queries once. */
export function queryUserOnceTraffic(users: number): Traffic {
  return writes(queryOne(users), 150_000);
}

/** Binds random users to random stores. Nearly every binding is new. */
export function bindUserStoreTraffic(users: number): Traffic {
  return writes(bindOne(users));
}

/** Nine queries and one new binding in turn. */
export function mixedTraffic(users: number): Traffic {
  const [query, bind] = [queryOne(users), bindOne(users)];
  return writes((index) => (index % 10 === 9 ? bind : query)(index));
}

function queryOne(users: number) {
  return (index: number) => {
    const id = randomUser(index, users);
    return get('/user', index % 2 === 0 ? { user_id: id } : { username: username(id) });
  };
}

function bindOne(users: number) {
  return (index: number) => {
    const random = new SeededRandom(index);
    const user_id = random.integer(1, users);
    return post('/user/store', { user_id, store_code: storeCode(random.integer(0, seeded.stores - 1)) });
  };
}

/** Returns the id of a random user, always the same one for an index. */
function randomUser(index: number, users: number): number {
  return new SeededRandom(index).integer(1, users);
}

/** Reads random users from another project's server. */
export function readsOfUsers(users: number, targetOf: (userId: number) => string): Traffic {
  return reads((index) => ({ method: 'GET', target: targetOf(randomUser(index, users)) }));
}

/** Sends batches of existing users, each of whom gets ten stores other than before, over one connection. */
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

/** Makes a request with its parameters in the query. */
export function get(path: string, parameters: Record<string, unknown>): PlainRequest {
  const query = Object.entries(parameters).map(([name, value]) => `${name}=${value}`);
  return { method: 'GET', target: `${path}?${query.join('&')}` };
}

function post(path: string, body: Record<string, unknown>): PlainRequest {
  return { method: 'POST', target: path, body: JSON.stringify(body) };
}
