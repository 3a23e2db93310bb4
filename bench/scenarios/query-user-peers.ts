import { signedServer } from '../contenders/bare-server.ts';
import { directus, directusUserPath } from '../contenders/directus.ts';
import { parseServer, parseUserPath } from '../contenders/parse-server.ts';
import { slapd, slapdIsMissing } from '../contenders/slapd.ts';
import { username } from '../directory/seeded-user.ts';
import type { Scenario } from '../measurement.ts';
import { alsoAfresh } from './query-user.ts';
import { ofRandomUser, queryUserTraffic, reads } from './traffic.ts';

const besideSlapd = {
  comparedTo: 'OpenLDAP slapd, search by uid',
  peer: true,
  unavailable: slapdIsMissing,
  reference: (bench, subject) => slapd(bench, subject, queries(subject.users, 'SEARCH', username)),
} satisfies Partial<Scenario>;

const besideParseServer = {
  comparedTo: 'Parse Server 9, user by id',
  peer: true,
  reference: (bench, subject) => parseServer(bench, subject, queries(subject.users, 'GET', parseUserPath)),
} satisfies Partial<Scenario>;

const besideDirectus = {
  comparedTo: 'Directus 12, user by id',
  peer: true,
  reference: (bench, subject) => directus(bench, subject, queries(subject.users, 'GET', directusUserPath)),
} satisfies Partial<Scenario>;

/** Other projects' servers read one user, and look up no permissions. Ours also verifies a signature. */
export const queryUserPeers: readonly Scenario[] = [
  ...alsoAfresh('SQLite', { ...besideSlapd, name: 'query-user-slapd', mark: 1.5 }),
  ...alsoAfresh('SQLite', { ...besideParseServer, name: 'query-user-parse-server', mark: 8 }),
  ...alsoAfresh('SQLite', { ...besideDirectus, name: 'query-user-directus', mark: 100 }),
  ...alsoAfresh('PostgreSQL', { ...besideParseServer, name: 'query-user-postgres-parse-server', mark: 2 }),
  {
    ...besideSlapd,
    name: 'signed-kept-slapd',
    title: 'bare node:http, signature verified, kept answer, logged',
    unit: 'req/s',
    measured: (bench, { users }) => signedServer(bench, queryUserTraffic(users)),
  },
];

function queries(users: number, method: string, target: (id: number) => string) {
  return reads(ofRandomUser(users, (id) => ({ method, target: target(id) })));
}
