import { fileURLToPath } from 'node:url';
import { constantAnswer, unheard } from '../contenders/bare-server.ts';
import { fieldroster } from '../contenders/fieldroster.ts';
import { Program } from '../contenders/program.ts';
import { ServerUnderLoad } from '../contenders/server-under-load.ts';
import type { Bench, Scenario, Subject } from '../measurement.ts';
import { Child } from '../process/child.ts';
import { alsoAfresh, answeredAfresh } from './answered-afresh.ts';
import { queryUserTraffic } from './query-user.ts';

const readServer = fileURLToPath(new URL('../baselines/postgres-read-server.ts', import.meta.url));

/** The other side reads the user's row and nothing else, and answers a constant. */
const behindHttp: Scenario = {
  name: 'query-user-postgres',
  title: 'GET /user, PostgreSQL',
  comparedTo: 'bare node:http, one row by pg',
  unit: 'req/s',
  better: 'higher',
  measured: queryUserOnPostgres,
  reference: rowServer,
};

/** What `pgbench -S` does, through the driver of the server and as many connections. */
const driverAlone: Scenario = {
  name: 'query-user-postgres-driver',
  title: 'GET /user, PostgreSQL',
  comparedTo: 'one row by pg, no HTTP',
  unit: 'req/s',
  better: 'higher',
  mark: 0.6,
  measured: queryUserOnPostgres,
  reference: async (bench, subject) => {
    const { database = '' } = await bench.newDirectory(subject, 'PostgreSQL');
    const { connections } = queryUserTraffic(subject.users);
    const args = [database, String(subject.users), String(connections)];
    return Program.start('baselines/postgres-reads-alone.ts', args, bench.cores.server);
  },
};

export const queryUserPostgres: readonly Scenario[] = [
  answeredAfresh(behindHttp, 'PostgreSQL'),
  ...alsoAfresh(driverAlone, 'PostgreSQL'),
];

/** A server whose users are in PostgreSQL, asked for random ones at concurrency 32. */
export function queryUserOnPostgres(bench: Bench, subject: Subject): Promise<ServerUnderLoad> {
  return fieldroster(bench, subject, ({ users }) => queryUserTraffic(users), { engine: 'PostgreSQL' });
}

async function rowServer(bench: Bench, subject: Subject): Promise<ServerUnderLoad> {
  const { database = '' } = await bench.newDirectory(subject, 'PostgreSQL');
  const args = [database, constantAnswer];
  const serving = await Child.serve({ script: readServer, args, cores: bench.cores.server });
  const plan = { ...queryUserTraffic(subject.users), encode: unheard };
  return new ServerUnderLoad(bench, serving, plan, await bench.postgres());
}
