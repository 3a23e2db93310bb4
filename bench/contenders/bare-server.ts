import { join } from 'node:path';
import { serverFlags } from '../../packages/cli/src/serve/restart-with-server-flags.ts';
import { type BenchPostgres, benchPostgres } from '../directory/bench-postgres.ts';
import { newDirectory } from '../directory/new-directory.ts';
import { inHttp, type Signer, signedBy } from '../load/requests.ts';
import type { StartContender } from '../measurement.ts';
import type { Cores } from '../process/pinned.ts';
import { startServer } from '../process/start.ts';
import { queryUserTraffic } from '../scenarios/traffic.ts';
import { type TrafficOf, underLoad } from './under-load.ts';

/** Has a signature as long as a real one. */
const nobody = { appId: 'nobody', appSecret: 'unchecked' };

const signer = { appId: 'bench', appSecret: 'known to the bare server alone' };

/** A `node:http` server with a constant answer: the most that one process of Node.js can answer. */
export const bareServer = bare(['constant']);

/** The same server on all cores. */
export const bareAnywhere = bare(['constant'], { cores: 'all' });

/** Two processes of that server, on all cores. */
export const bareWorkers = bare([], { script: 'bare-workers.ts', cores: 'all' });

/** Verifies signatures, logs, and keeps an answer for each request: the most that a server with kept answers can do. */
export const signedServer = bare(['kept', signer.appId, signer.appSecret], { sentBy: signer });

/** Verifies signatures, logs, and reads or writes the rows of each request in SQLite, without a framework. */
export function rowsServer(trafficOf: TrafficOf): StartContender {
  return async (bench, subject) => {
    const { folder, ...application } = await newDirectory(bench, subject);
    const { appId, appSecret } = application;
    return bare(['rows', folder, appId, appSecret], { sentBy: application, trafficOf })(bench, subject);
  };
}

/** Verifies signatures, logs, and reads each user with the role and the organization from PostgreSQL. */
export const rowsServerOnPostgres: StartContender = async (bench, subject) => {
  const { database = '', ...application } = await newDirectory(bench, subject, 'PostgreSQL');
  const { appId, appSecret } = application;
  const options = { sentBy: application, postgres: await benchPostgres(bench) };
  return bare(['rows-of-postgres', database, appId, appSecret], options)(bench, subject);
};

/** Reads the user's row from PostgreSQL for each request, and answers a constant. */
export const rowServer: StartContender = async (bench, subject) => {
  const { database = '' } = await newDirectory(bench, subject, 'PostgreSQL');
  return bare(['postgres', database], { postgres: await benchPostgres(bench) })(bench, subject);
};

interface BareOptions {
  readonly script?: string;
  readonly cores?: keyof Cores;
  /** Who signs the requests. Most of these servers do not check it. */
  readonly sentBy?: Signer;
  readonly postgres?: BenchPostgres;
  readonly trafficOf?: TrafficOf;
}

/** A script below `baselines/`, with the V8 flags of our own command. */
function bare(
  args: readonly string[],
  {
    script = 'bare-http.ts',
    cores,
    sentBy = nobody,
    postgres,
    trafficOf = queryUserTraffic,
  }: BareOptions = {},
): StartContender {
  const path = join(import.meta.dirname, '../baselines', script);
  return async (bench, { users }) => {
    const serving = await startServer(bench, [...process.execArgv, ...serverFlags(), path, ...args], cores);
    const plan = { ...trafficOf(users), encode: inHttp(signedBy(sentBy)) };
    return underLoad(bench, serving, plan, postgres);
  };
}
