import { bareServer } from '../contenders/bare-server.ts';
import { fieldroster } from '../contenders/fieldroster.ts';
import { distinctReads } from '../contenders/server-under-load.ts';
import { username } from '../directory/seeded-user.ts';
import type { PlainRequest } from '../load/request-file.ts';
import type { Scenario } from '../measurement.ts';
import { randomNumbers } from './random.ts';

const usersOfLarge = 1_000_000;

/** The same requests, signatures included, go to both servers. */
export function queryUser(users = usersOfLarge): Scenario {
  return {
    name: 'query-user',
    title: `GET /user, ${users.toLocaleString('en')} users`,
    comparedTo: 'bare node:http, constant answer',
    unit: 'req/s',
    better: 'higher',
    mark: 0.5,
    // All of the requests must have come once before their answers are known.
    plan: { warmUpSeconds: 4 },
    measured: (bench, subject) => fieldroster(bench, { ...subject, users }, () => queryUserTraffic(users)),
    reference: (bench) => bareServer(bench, queryUserTraffic(users)),
  };
}

/** Of the others each is asked for again and again; here none is, so that no answer is known already. */
export function queryUserOnce(users = usersOfLarge): Scenario {
  return {
    name: 'query-user-once',
    title: `GET /user, ${users.toLocaleString('en')} users, each once`,
    comparedTo: 'bare node:http, constant answer',
    unit: 'req/s',
    better: 'higher',
    measured: (bench, subject) => fieldroster(bench, { ...subject, users }, () => newUsersTraffic(users)),
    reference: (bench) => bareServer(bench, queryUserTraffic(users)),
  };
}

/** Queries at concurrency 32, by id and by username in turn, of the same random users in every round. */
export function queryUserTraffic(users: number) {
  return {
    connections: 32,
    once: false,
    firstCount: distinctReads,
    requests: (count: number) => queries(count, users, randomNumbers(1)),
  };
}

/** More than are answered in the first round, whose rate is not known. */
const firstOnce = 150_000;

function newUsersTraffic(users: number) {
  const random = randomNumbers(2);
  return {
    connections: 32,
    once: true,
    firstCount: firstOnce,
    requests: (count: number) => queries(count, users, random),
  };
}

function* queries(count: number, users: number, random: () => number): Generator<PlainRequest> {
  for (let index = 0; index < count; index += 1) {
    const id = 1 + Math.floor(random() * users);
    const query = index % 2 === 0 ? `user_id=${id}` : `username=${username(id)}`;
    yield { method: 'GET', target: `/user?${query}` };
  }
}
