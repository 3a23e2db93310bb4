import { join } from 'node:path';
import { serverFlags } from '../../packages/cli/src/serve/restart-with-server-flags.ts';
import { freePort } from '../../packages/server/src/workers/free-port.ts';
import type { Bench } from '../bench.ts';
import { benchPostgres } from '../directory/bench-postgres.ts';
import { newDirectory } from '../directory/new-directory.ts';
import type { Subject } from '../directory/seed.ts';
import { signedBy } from '../load/requests.ts';
import type { Contender } from '../measurement.ts';
import { type Serving, startServer } from '../process/start.ts';
import { queryUserTraffic } from '../scenarios/traffic.ts';
import { underLoad } from './under-load.ts';

/** Signs as our clients do, so that the requests are as long. The server does not check it. */
const headersOf = signedBy({ appId: 'nobody', appSecret: 'unchecked' });

/** A `node:http` server with a constant answer: the most that one process of Node.js can answer. */
export async function bareServer(bench: Bench, { users }: Subject): Promise<Contender> {
  return underLoad(bench, await start(bench), { ...queryUserTraffic(users), headersOf });
}

/** Reads the user's row from PostgreSQL for each request, and answers a constant. */
export async function rowServer(bench: Bench, subject: Subject): Promise<Contender> {
  const { database = '', users } = await newDirectory(bench, subject, 'PostgreSQL');
  const postgres = await benchPostgres(bench);
  return underLoad(bench, await start(bench, database), { ...queryUserTraffic(users), headersOf }, postgres);
}

/** Starts the script with the V8 flags of our own command. */
async function start(bench: Bench, ...args: readonly string[]): Promise<Serving> {
  const script = join(import.meta.dirname, '../baselines/bare-http.ts');
  const port = await freePort('127.0.0.1');
  const flags = [...process.execArgv, ...serverFlags()];
  return startServer(bench, port, [process.execPath, ...flags, script, `${port}`, ...args]);
}
