import { bareServer, rowServer } from '../contenders/bare-server.ts';
import { directus } from '../contenders/directus.ts';
import { fieldroster } from '../contenders/fieldroster.ts';
import { peerIsMissing } from '../contenders/npm-peer.ts';
import { parseServer } from '../contenders/parse-server.ts';
import { slapd, slapdIsMissing } from '../contenders/slapd.ts';
import { type EngineName, newDirectory } from '../directory/new-directory.ts';
import { mapSamples, type Scenario, type StartContender } from '../measurement.ts';
import { startProgram } from '../process/start.ts';
import { connections, mixedTraffic, neverRepeated, queryUserTraffic } from './traffic.ts';

const usersOfLarge = 1_000_000;

/** Signed queries of one user, compared with less work in one process of Node.js. */
export function queryUser(users = usersOfLarge): readonly Scenario[] {
  const large = users.toLocaleString('en');
  return [
    {
      ...besideBare,
      name: 'query-user',
      title: `GET /user, ${large} users`,
      mark: 0.5,
      // The server caches an answer the second time it gives it, so each request must have come twice before the first
      // round.
      plan: { warmUpSeconds: 6 },
      measured: withUsers(users, fieldroster(queryUserTraffic)),
    },
    {
      ...besideBare,
      name: 'query-user-once',
      title: `GET /user, ${large} users, each once`,
      mark: 0.36,
      measured: withUsers(
        users,
        fieldroster((count) => ({ ...queryUserTraffic(count), once: true, firstCount: 150_000 })),
      ),
    },
    ...rowsOfUsualSize,
  ];
}

const besideBare = { comparedTo: 'bare node:http, constant answer', reference: bareServer };

/** Reads users through the driver, without HTTP. */
const readsByDriver: StartContender = async (bench, subject) => {
  const { database = '', users } = await newDirectory(bench, subject, 'PostgreSQL');
  return startProgram(bench, 'baselines/postgres-reads.ts', [database, users, connections]);
};

const besideSlapd = besidePeer('OpenLDAP slapd, search by uid', slapd, slapdIsMissing);
const besideParseServer = besidePeer(
  'Parse Server 9, user by id',
  parseServer,
  peerIsMissing('parse-server'),
);
const besideDirectus = besidePeer('Directus 12, user by id', directus, peerIsMissing('directus'));

function besidePeer(comparedTo: string, reference: StartContender, unavailable: () => string | undefined) {
  return { comparedTo, peer: true, unavailable, reference };
}

/** Other projects' servers read one user, and look up no permissions. Ours also verifies a signature. */
const rowsOfUsualSize: readonly Scenario[] = [
  {
    ...besideBare,
    name: 'reads-and-writes',
    title: 'nine GET /user to one POST /user/store',
    mark: 0.3,
    measured: fieldroster(mixedTraffic),
  },
  {
    name: 'query-user-two-workers',
    title: 'GET /user with two workers, per second of their processor time',
    comparedTo: 'one worker',
    mark: 0.9,
    // Each worker caches answers of its own.
    plan: { warmUpSeconds: 12 },
    measured: workers(2),
    reference: workers(1),
  },
  {
    name: 'query-user-postgres',
    title: 'GET /user, PostgreSQL, every answer new',
    comparedTo: 'bare node:http, one row by pg',
    mark: 0.75,
    measured: fieldroster(neverRepeated(queryUserTraffic), { engine: 'PostgreSQL' }),
    reference: rowServer,
  },
  ...alsoAfresh('PostgreSQL', {
    name: 'query-user-postgres-driver',
    comparedTo: 'one row by pg, no HTTP',
    mark: 0.6,
    reference: readsByDriver,
  }),
  ...alsoAfresh('SQLite', { ...besideSlapd, name: 'query-user-slapd', mark: 1 }),
  ...alsoAfresh('SQLite', { ...besideParseServer, name: 'query-user-parse-server', mark: 8 }),
  ...alsoAfresh('SQLite', { ...besideDirectus, name: 'query-user-directus', mark: 100 }),
  ...alsoAfresh('PostgreSQL', { ...besideParseServer, name: 'query-user-postgres-parse-server', mark: 2 }),
];

function withUsers(users: number, start: StartContender): StartContender {
  return (bench, subject) => start(bench, { ...subject, users });
}

/** Queries per second of processor time, that of a supervisor included. */
function workers(count: number): StartContender {
  const server = fieldroster(queryUserTraffic, { cores: 'all', flags: ['--workers', String(count)] });
  return mapSamples(server, ({ cpuShare = Number.NaN, value, ...sample }) => ({
    ...sample,
    value: value / cpuShare,
  }));
}

/** Queries whose answers the server knows already, and a second row whose answers all come from the database. */
function alsoAfresh(engine: EngineName, row: Omit<Scenario, 'measured' | 'title'>): readonly Scenario[] {
  const title = engine === 'PostgreSQL' ? 'GET /user, PostgreSQL' : 'GET /user';
  const afresh = { name: `${row.name}-afresh`, title: `${title}, every answer new` };
  return [
    { ...row, title, measured: fieldroster(queryUserTraffic, { engine }) },
    { ...row, ...afresh, measured: fieldroster(neverRepeated(queryUserTraffic), { engine }) },
  ];
}
