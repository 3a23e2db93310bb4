import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { profile } from '../directory/seeded-user.ts';
import { inHttp, signedBy } from '../load/request-file.ts';
import type { Bench } from '../measurement.ts';
import { Child } from '../process/child.ts';
import { ServerUnderLoad, type Traffic } from './server-under-load.ts';

export const bareServerScript = fileURLToPath(new URL('../baselines/bare-node-http.ts', import.meta.url));
const bareSignedServerScript = fileURLToPath(new URL('../baselines/bare-signed-http.ts', import.meta.url));

/** As long as the answer to a query of a seeded user. */
export const constantAnswer = JSON.stringify({
  code: 0,
  message: '',
  data: {
    id: 12345,
    ...profile(12_345),
    roles: [{ id: 6, name: 'Role 6', system_id: 1, order: 5, description: 'Looks after stores' }],
    orgs: [{ id: 146, name: 'Region 146', parent_id: 1 }],
  },
});

/** A `node:http` server without anything else: the most that one process of Node.js can answer here. */
export async function bareServer(bench: Bench, traffic: Traffic): Promise<ServerUnderLoad> {
  const options = { script: bareServerScript, args: [constantAnswer], cores: bench.cores.server };
  return new ServerUnderLoad(bench, await Child.serve(options), { ...traffic, encode: unheard });
}

const signer = { appId: 'bench', appSecret: 'known to the bare server alone' };

/**
 * The same, once it has verified the signature: the most that any server of signed requests can answer here.
 *
 * @param kind `kept` for one that logs and has an answer of its own to each request: the most that a server can which keeps answers
 */
export async function bareSignedServer(
  bench: Bench,
  traffic: Traffic,
  kind: 'constant' | 'kept' = 'constant',
): Promise<ServerUnderLoad> {
  const args = [constantAnswer, signer.appId, signer.appSecret, kind];
  const outputFile = join(bench.newFolder(), 'server.log');
  const cores = bench.cores.server;
  const serving = await Child.serve({ script: bareSignedServerScript, args, cores, outputFile });
  return new ServerUnderLoad(bench, serving, { ...traffic, encode: inHttp(signedBy(signer)) });
}

/** The signature of an application that no server knows: as long as a real one, and never looked at. */
export const unheard = inHttp(signedBy({ appId: 'nobody', appSecret: 'never-looked-at' }));
