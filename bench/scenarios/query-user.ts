import { bareServer, rowServer, signedServer } from '../contenders/bare-server.ts';
import { fieldroster } from '../contenders/fieldroster.ts';
import { statementsAlone } from '../contenders/statements-alone.ts';
import type { Bench, Contender, EngineName, Scenario, Subject } from '../measurement.ts';
import { startProgram } from '../process/program.ts';
import {
  connections,
  mixedTraffic,
  neverRepeated,
  queryUserOnceTraffic,
  queryUserTraffic,
} from './traffic.ts';

const bare = {
  unit: 'req/s' as const,
  comparedTo: 'bare node:http, constant answer',
  reference: (bench: Bench, { users }: Subject) => bareServer(bench, queryUserTraffic(users)),
};

const usersOfLarge = 1_000_000;

/** The same queries by engine, each compared with less work on that engine. */
const answersFromDatabase: readonly Scenario[] = [
  {
    name: 'query-user-sqlite',
    title: 'GET /user, every answer new',
    comparedTo: 'prepared SQLite reads, no HTTP',
    unit: 'req/s',
    measured: queriesAfresh('SQLite'),
    reference: async (bench, subject) =>
      statementsAlone(bench, await bench.newDirectory(subject), 'read-users'),
  },
  {
    name: 'query-user-postgres',
    title: 'GET /user, PostgreSQL, every answer new',
    comparedTo: 'bare node:http, one row by pg',
    unit: 'req/s',
    mark: 0.75,
    measured: queriesAfresh('PostgreSQL'),
    reference: (bench, subject) => rowServer(bench, subject, queryUserTraffic(subject.users)),
  },
  ...alsoAfresh('PostgreSQL', {
    name: 'query-user-postgres-driver',
    comparedTo: 'one row by pg, no HTTP',
    mark: 0.6,
    reference: async (bench, subject) => {
      const { database = '' } = await bench.newDirectory(subject, 'PostgreSQL');
      const args = [database, subject.users, connections];
      return startProgram(bench, 'baselines/postgres-reads.ts', args);
    },
  }),
];

/** Signed queries of one user, compared with less work in one process of Node.js. */
export function queryUser(users = usersOfLarge): readonly Scenario[] {
  const large = users.toLocaleString('en');
  return [
    {
      ...bare,
      name: 'query-user',
      title: `GET /user, ${large} users`,
      mark: 0.5,
      // The server caches an answer the second time it gives it, so each request must have come twice before the first
      // round.
      plan: { warmUpSeconds: 6 },
      measured: (bench, subject) => fieldroster(bench, { ...subject, users }, queryUserTraffic),
    },
    {
      ...bare,
      name: 'query-user-once',
      title: `GET /user, ${large} users, each once`,
      mark: 0.36,
      measured: (bench, subject) => fieldroster(bench, { ...subject, users }, queryUserOnceTraffic),
    },
    {
      ...bare,
      name: 'reads-and-writes',
      title: 'nine GET /user to one POST /user/store',
      mark: 0.3,
      measured: (bench, subject) => fieldroster(bench, subject, mixedTraffic),
    },
    {
      ...bare,
      name: 'signed-kept',
      title: 'bare node:http, signature verified, kept answer, logged',
      measured: (bench, subject) => signedServer(bench, queryUserTraffic(subject.users)),
    },
    {
      name: 'query-user-two-workers',
      title: 'GET /user with two workers, per second of their processor time',
      comparedTo: 'one worker',
      unit: 'req/s',
      mark: 0.9,
      // Each worker caches answers of its own.
      plan: { warmUpSeconds: 12 },
      measured: (bench, subject) => perProcessorSecond(bench, subject, 2),
      reference: (bench, subject) => perProcessorSecond(bench, subject, 1),
    },
    ...answersFromDatabase,
  ];
}

/** The worker's supervisor counts as well. */
async function perProcessorSecond(bench: Bench, subject: Subject, workers: number): Promise<Contender> {
  const options = { cores: bench.cores.all, flags: ['--workers', String(workers)] };
  const server = await fieldroster(bench, subject, queryUserTraffic, options);
  return async (seconds) => {
    const { cpuShare = Number.NaN, ...sample } = await server(seconds);
    return { ...sample, value: sample.value / cpuShare };
  };
}

/** Queries whose answers the server knows already, and a second row whose answers all come from the database. */
export function alsoAfresh(
  engine: EngineName,
  row: Omit<Scenario, 'measured' | 'title' | 'unit'>,
): readonly Scenario[] {
  const title = engine === 'PostgreSQL' ? 'GET /user, PostgreSQL' : 'GET /user';
  const known: Scenario['measured'] = (bench, subject) =>
    fieldroster(bench, subject, queryUserTraffic, { engine });
  const afresh = { name: `${row.name}-afresh`, title: `${title}, every answer new` };
  return [
    { ...row, title, unit: 'req/s', measured: known },
    { ...row, ...afresh, unit: 'req/s', measured: queriesAfresh(engine) },
  ];
}

function queriesAfresh(engine: EngineName): (bench: Bench, subject: Subject) => Promise<Contender> {
  return (bench, subject) =>
    fieldroster(bench, subject, (users) => neverRepeated(queryUserTraffic(users)), { engine });
}
