import { fileURLToPath } from 'node:url';
import { serverFlags } from '../../packages/cli/src/serve/use-server-flags.ts';
import { profile } from '../directory/seeded-user.ts';
import { inHttp, signedBy } from '../load/requests.ts';
import type { StartContender } from '../measurement.ts';
import type { Bench } from '../open-bench.ts';
import type { Serving } from '../process/start.ts';
import { startServer } from '../process/start.ts';
import { type TrafficOf, underLoad } from './under-load.ts';

/** As long as the answer to a query of a seeded user. */
const constantAnswer = JSON.stringify({
  code: 0,
  message: '',
  data: {
    id: 12345,
    ...profile(12_345),
    roles: [{ id: 6, name: 'Role 6', system_id: 1, order: 5, description: 'Looks after stores' }],
    orgs: [{ id: 146, name: 'Region 146', parent_id: 1 }],
  },
});

/** As long as a real signature. Bare servers do not check it. */
const unchecked = inHttp(signedBy({ appId: 'nobody', appSecret: 'unchecked' }));

/** A `node:http` server with a constant answer: the most that one process of Node.js can answer. */
export function bareServer(trafficOf: TrafficOf): StartContender {
  return async (bench, { users }) =>
    underLoad(bench, await start(bench, 'constant'), { ...trafficOf(users), encode: unchecked });
}

/** Verifies signatures, logs, and keeps an answer for each request: the most that a server with kept answers can do. */
export function signedServer(trafficOf: TrafficOf): StartContender {
  const signer = { appId: 'bench', appSecret: 'known to the bare server alone' };
  return async (bench, { users }) => {
    const serving = await start(bench, 'kept', signer.appId, signer.appSecret);
    return underLoad(bench, serving, { ...trafficOf(users), encode: inHttp(signedBy(signer)) });
  };
}

/** Reads the user's row from PostgreSQL for each request, and answers a constant. */
export function rowServer(trafficOf: TrafficOf): StartContender {
  return async (bench, subject) => {
    const { database = '', users } = await bench.newDirectory(subject, 'PostgreSQL');
    const serving = await start(bench, 'postgres', database);
    return underLoad(bench, serving, { ...trafficOf(users), encode: unchecked }, await bench.postgres());
  };
}

/** Runs with the V8 flags of our own command. */
function start(bench: Bench, kind: string, ...options: readonly string[]): Promise<Serving> {
  const script = fileURLToPath(new URL('../baselines/bare-http.ts', import.meta.url));
  const node = [...process.execArgv, ...serverFlags()];
  return startServer(bench, [...node, script, kind, constantAnswer, ...options]);
}
