import { join } from 'node:path';
import { profile } from '../directory/seeded-user.ts';
import { inHttp, signedBy } from '../load/requests.ts';
import type { Bench, Subject } from '../measurement.ts';
import { Child, type ChildOptions } from '../process/child.ts';
import { ServerUnderLoad, type Traffic } from './server-under-load.ts';

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

/** How to start a bare server; `baselines/bare-http.ts` knows the kinds. */
export function bareProgram({ cores }: Bench, kind: string, ...options: readonly string[]): ChildOptions {
  const script = join(import.meta.dirname, '../baselines/bare-http.ts');
  return { script, args: [kind, constantAnswer, ...options], cores: cores.server };
}

/** As long as a real signature. Bare servers do not check it. */
const unchecked = inHttp(signedBy({ appId: 'nobody', appSecret: 'unchecked' }));

/** A `node:http` server with a constant answer: the most that one process of Node.js can answer. */
export async function bareServer(bench: Bench, traffic: Traffic): Promise<ServerUnderLoad> {
  const serving = await Child.serve(bareProgram(bench, 'constant'));
  return new ServerUnderLoad(bench, serving, { ...traffic, encode: unchecked });
}

/** Verifies signatures, logs, and keeps an answer for each request: the most that a server with kept answers can do. */
export async function signedServer(bench: Bench, traffic: Traffic): Promise<ServerUnderLoad> {
  const signer = { appId: 'bench', appSecret: 'known to the bare server alone' };
  const outputFile = join(bench.newFolder(), 'server.log');
  const program = bareProgram(bench, 'kept', signer.appId, signer.appSecret);
  const serving = await Child.serve({ ...program, outputFile });
  return new ServerUnderLoad(bench, serving, { ...traffic, encode: inHttp(signedBy(signer)) });
}

/** Reads the user's row from PostgreSQL for each request, and answers a constant. */
export async function rowServer(bench: Bench, subject: Subject, traffic: Traffic): Promise<ServerUnderLoad> {
  const { database = '' } = await bench.newDirectory(subject, 'PostgreSQL');
  const serving = await Child.serve(bareProgram(bench, 'postgres', database));
  return new ServerUnderLoad(bench, serving, { ...traffic, encode: unchecked }, await bench.postgres());
}
