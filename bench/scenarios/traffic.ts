import { SeededRandom } from '../../e2e/seeded-random.ts';
import type { Traffic, TrafficOf } from '../contenders/under-load.ts';
import { username } from '../directory/seeded-user.ts';
import type { PlainRequest } from '../load/requests.ts';
import { givenBatch, randomBinding, storeSet, usersInTurn } from './payloads.ts';

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
  return reads((index) => {
    const id = randomUser(index, users);
    return get('/user', index % 2 === 0 ? { user_id: id } : { username: username(id) });
  });
}

/** Binds random users to random stores. Nearly every binding is new. */
export function bindUserStoreTraffic(users: number): Traffic {
  return writes((index) => post('/user/store', randomBinding(new SeededRandom(index), users)));
}

/** Nine queries and one new binding in turn. */
export function mixedTraffic(users: number): Traffic {
  const [query, bind] = [queryUserTraffic(users), bindUserStoreTraffic(users)];
  return writes((index) => (index % 10 === 9 ? bind : query).request(index));
}

/** Returns the id of a random user, always the same one for an index. */
export function randomUser(index: number, users: number): number {
  return new SeededRandom(index).integer(1, users);
}

/** Reads random users from another project's server. */
export function readsOfUsers(users: number, targetOf: (userId: number) => string): Traffic {
  return reads((index) => ({ method: 'GET', target: targetOf(randomUser(index, users)) }));
}

/** Sends batches of existing users, each of whom gets ten stores other than before, over one connection. */
export function batchTraffic(users: number, entries: number): Traffic {
  const batch = (index: number) => post('/users/batch', { users: givenBatch(index, entries, users) });
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
      username: username(1 + (index % usersInTurn)),
      store_codes: storeSet(Math.floor(index / usersInTurn) % 2, stores),
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
