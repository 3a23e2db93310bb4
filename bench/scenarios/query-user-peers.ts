import { signedServer } from '../contenders/bare-server.ts';
import { directus, directusUserPath } from '../contenders/directus.ts';
import { parseServer, parseUserPath } from '../contenders/parse-server.ts';
import { slapd, slapdIsMissing } from '../contenders/slapd.ts';
import { username } from '../directory/seeded-user.ts';
import type { Scenario } from '../measurement.ts';
import { alsoAfresh } from './query-user.ts';
import { ofRandomUser, queryUserTraffic, reads } from './traffic.ts';

const read = { unit: 'req/s', better: 'higher', peer: true } as const;

const besideSlapd = {
  comparedTo: 'OpenLDAP slapd, search by uid',
  unavailable: slapdIsMissing,
  reference: (bench, subject) => slapd(bench, subject, queries(subject.users, 'SEARCH', username)),
} satisfies Partial<Scenario>;

const besideParseServer = {
  comparedTo: 'Parse Server 9, user by id',
  reference: (bench, subject) => parseServer(bench, subject, queries(subject.users, 'GET', parseUserPath)),
} satisfies Partial<Scenario>;

/** Other projects' servers read one user, and look up no permissions. Ours also verifies a signature. */
export const queryUserPeers: readonly Scenario[] = [
  ...alsoAfresh(
    { ...read, ...besideSlapd, name: 'query-user-slapd', title: 'GET /user', mark: 1.5 },
    'SQLite',
  ),
  ...alsoAfresh(
    { ...read, ...besideParseServer, name: 'query-user-parse-server', title: 'GET /user', mark: 8 },
    'SQLite',
  ),
  ...alsoAfresh(
    {
      ...read,
      name: 'query-user-directus',
      title: 'GET /user',
      comparedTo: 'Directus 12, user by id',
      mark: 100,
      reference: (bench, subject) =>
        directus(bench, subject, queries(subject.users, 'GET', directusUserPath)),
    },
    'SQLite',
  ),
  ...alsoAfresh(
    {
      ...read,
      ...besideParseServer,
      name: 'query-user-postgres-parse-server',
      title: 'GET /user, PostgreSQL',
      mark: 2,
    },
    'PostgreSQL',
  ),
  {
    ...read,
    ...besideSlapd,
    name: 'signed-kept-slapd',
    title: 'bare node:http, signature verified, kept answer, logged',
    measured: (bench, { users }) => signedServer(bench, queryUserTraffic(users)),
  },
];

function queries(users: number, method: string, target: (id: number) => string) {
  return reads(ofRandomUser(users, (id) => ({ method, target: target(id) })));
}
