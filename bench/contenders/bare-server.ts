import { join } from 'node:path';
import { serverFlags } from '../../packages/cli/src/serve/restart-with-server-flags.ts';
import type { Bench } from '../bench.ts';
import { benchPostgres } from '../directory/bench-postgres.ts';
import { newDirectory } from '../directory/new-directory.ts';
import { inHttp, signedBy } from '../load/requests.ts';
import type { StartContender } from '../measurement.ts';
import type { Cores } from '../process/pinned.ts';
import { type Serving, startServer } from '../process/start.ts';
import { queryUserTraffic } from '../scenarios/traffic.ts';
import { underLoad } from './under-load.ts';

/** As long as a real signature. These servers do not check it. */
const unchecked = inHttp(signedBy({ appId: 'nobody', appSecret: 'unchecked' }));

/** A `node:http` server with a constant answer: the most that one process of Node.js can answer. */
export const bareServer: StartContender = bareOn('server');

/** The same server on all cores. */
export const bareAnywhere: StartContender = bareOn('all');

function bareOn(cores: keyof Cores): StartContender {
  return async (bench, { users }) =>
    underLoad(bench, await start(bench, cores, 'constant'), {
      ...queryUserTraffic(users),
      encode: unchecked,
    });
}

/** Two processes of that server, on all cores. */
export const bareWorkers: StartContender = async (bench, { users }) => {
  const script = join(import.meta.dirname, '../baselines/bare-workers.ts');
  const serving = await startServer(bench, [...process.execArgv, ...serverFlags(), script], 'all');
  return underLoad(bench, serving, { ...queryUserTraffic(users), encode: unchecked });
};

/** Verifies signatures, logs, and keeps an answer for each request: the most that a server with kept answers can do. */
export const signedServer: StartContender = async (bench, { users }) => {
  const signer = { appId: 'bench', appSecret: 'known to the bare server alone' };
  const serving = await start(bench, 'server', 'kept', signer.appId, signer.appSecret);
  return underLoad(bench, serving, { ...queryUserTraffic(users), encode: inHttp(signedBy(signer)) });
};

/** Reads the user's row from PostgreSQL for each request, and answers a constant. */
export const rowServer: StartContender = async (bench, subject) => {
  const { database = '', users } = await newDirectory(bench, subject, 'PostgreSQL');
  const serving = await start(bench, 'server', 'postgres', database);
  return underLoad(
    bench,
    serving,
    { ...queryUserTraffic(users), encode: unchecked },
    await benchPostgres(bench),
  );
};

/** Runs with the V8 flags of our own command. */
function start(
  bench: Bench,
  cores: keyof Cores,
  kind: string,
  ...options: readonly string[]
): Promise<Serving> {
  const script = join(import.meta.dirname, '../baselines/bare-http.ts');
  return startServer(bench, [...process.execArgv, ...serverFlags(), script, kind, ...options], cores);
}
