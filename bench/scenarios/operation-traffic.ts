import { distinctReads, type Traffic } from '../contenders/server-under-load.ts';
import { seeded, storeCode, username } from '../directory/seeded-user.ts';
import type { PlainRequest } from '../load/request-file.ts';
import { randomNumbers } from './random.ts';

type OneRequest = (index: number) => PlainRequest;

const connections = 32;

/** As many as a page of a list has by default. */
export const pageUsers = 50;

/** More than a server answers in a round of a few seconds. */
const writesAtFirst = 60_000;

/** Requests that may be sent again; the index counts within a round. */
export function reads(request: OneRequest): Traffic {
  return {
    connections,
    once: false,
    firstCount: distinctReads,
    requests: (count) => each(0, count, request),
  };
}

/** More than are answered in the first round, whose rate is not known. */
const readsAtFirst = 100_000;

/** The same reads, each sent once and with a target of its own: none can be answered from what was answered before. */
export function neverRepeated(traffic: Traffic): Traffic {
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
}

/**
 * Makes a target different from every other one and leaves its meaning as it is. GET /user ignores a parameter that it
 * does not know. A list refuses one, so its limit is spelled differently: with leading zeros, percent-encoded or not.
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

/** Enough for every number of requests in a run; the server reads integers of up to 40 digits. */
const zerosOfLimit = 24;

/** Requests of which each is sent once in a run; the index counts through all rounds. */
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

/**
 * Two loads that need each other: what the first bound in a round, the second unbinds.
 *
 * @param replacedAfter after how many requests one takes the place of what an earlier one bound
 */
export function bindingPair(
  path: string,
  bind: (index: number) => Record<string, unknown>,
  replacedAfter = Number.POSITIVE_INFINITY,
): readonly [bind: Traffic, unbind: Traffic] {
  let [first, next] = [0, 0];
  let bound: number[] = [];
  return [
    {
      connections,
      once: true,
      firstCount: writesAtFirst,
      requests: (count) => {
        [first, next] = [next, next + count];
        return each(first, count, (index) => send('POST', path, bind(index)));
      },
      // The last ones may have been cut off before they were done, some that were not answered may have been done.
      answered: (count) => {
        const start = Math.max(0, count + connections - replacedAfter);
        const length = Math.max(0, count - connections - start);
        bound = Array.from({ length }, (_, index) => first + start + index);
      },
    },
    {
      connections,
      once: true,
      firstCount: Number.MAX_SAFE_INTEGER,
      requests: (count) => {
        const taken = bound.splice(0, Math.min(count, bound.length));
        if (taken.length === 0) throw new Error(`nothing is bound at ${path}`);
        return taken.map((index) => target('DELETE', path, bind(index)));
      },
    },
  ];
}

/** Nine queries and one new binding in turn. */
export function mixed(users: number): Traffic {
  const query = queryOne(users);
  const bind = bindOne(users, 7);
  return writes((index) => (index % 10 === 9 ? bind() : query(index)));
}

/** Random users by id and by username in turn. */
function queryOne(users: number): OneRequest {
  const userId = randomUser(users, 1);
  return (index) => {
    const id = userId();
    return target('GET', '/user', index % 2 === 0 ? { user_id: id } : { username: username(id) });
  };
}

/** A random store for a random user; nearly every one is a new binding. */
function bindOne(users: number, seed: number): () => PlainRequest {
  const userId = randomUser(users, seed);
  const random = randomNumbers(seed + 1);
  return () =>
    send('POST', '/user/store', {
      user_id: userId(),
      store_code: storeCode(Math.floor(random() * seeded.stores)),
    });
}

function randomUser(users: number, seed: number): () => number {
  const random = randomNumbers(seed);
  return () => 1 + Math.floor(random() * users);
}

/** Random users, one by one. */
export function ofRandomUser(users: number, request: (userId: number) => PlainRequest): OneRequest {
  const userId = randomUser(users, 3);
  return () => request(userId());
}

/** A request whose parameters stand in its target. */
export function target(
  method: 'GET' | 'DELETE',
  path: string,
  parameters: Record<string, unknown>,
): PlainRequest {
  const query = Object.entries(parameters).map(([name, value]) => `${name}=${value}`);
  return { method, target: `${path}?${query.join('&')}` };
}

/** A request whose parameters are its body. */
export function send(method: 'POST' | 'PUT', path: string, body: Record<string, unknown>): PlainRequest {
  return { method, target: path, body: JSON.stringify(body) };
}

function* each(first: number, count: number, request: OneRequest): Generator<PlainRequest> {
  for (let index = first; index < first + count; index += 1) yield request(index);
}
