import { fieldroster } from '../contenders/fieldroster.ts';
import { slapd, slapdIsMissing } from '../contenders/slapd.ts';
import { username } from '../directory/seeded-user.ts';
import type { Scenario } from '../measurement.ts';
import { ofRandomUser, reads } from './operation-traffic.ts';
import { queryUserTraffic } from './query-user.ts';

/** Both find one user among as many; slapd is asked by uid and checks nobody's right to ask. */
export const queryUserSlapd: Scenario = {
  name: 'query-user-slapd',
  title: 'GET /user',
  comparedTo: 'OpenLDAP slapd, search by uid',
  unit: 'req/s',
  better: 'higher',
  mark: 1.5,
  peer: true,
  unavailable: slapdIsMissing,
  measured: (bench, subject) => fieldroster(bench, subject, ({ users }) => queryUserTraffic(users)),
  reference: (bench, subject) => slapd(bench, subject, searchTraffic(subject.users)),
};

export function searchTraffic(users: number) {
  return reads(ofRandomUser(users, (id) => ({ method: 'SEARCH', target: username(id) })));
}
