import { directus, directusUserPath } from '../contenders/directus.ts';
import { fieldroster } from '../contenders/fieldroster.ts';
import type { Scenario } from '../measurement.ts';
import { ofRandomUser, reads } from './operation-traffic.ts';
import { queryUserTraffic } from './query-user.ts';

/** Both read a user from SQLite; only ours verifies a signature, theirs looks up a token. */
export const queryUserDirectus: Scenario = {
  name: 'query-user-directus',
  title: 'GET /user',
  comparedTo: 'Directus 12, user by id',
  unit: 'req/s',
  better: 'higher',
  mark: 100,
  peer: true,
  measured: (bench, subject) => fieldroster(bench, subject, ({ users }) => queryUserTraffic(users)),
  reference: (bench, subject) => directus(bench, subject, queryTraffic(subject.users)),
};

function queryTraffic(users: number) {
  return reads(ofRandomUser(users, (id) => ({ method: 'GET', target: directusUserPath(id) })));
}
