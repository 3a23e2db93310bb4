import { join } from 'node:path';
import { profile } from '../directory/seeded-user.ts';
import { inHttp, signedBy } from '../load/requests.ts';
import type { Bench, Contender, Subject } from '../measurement.ts';
import { startServer } from '../process/program.ts';
import { type Traffic, underLoad } from './under-load.ts';

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

const script = 'baselines/bare-http.ts';

/** As long as a real signature. Bare servers do not check it. */
const unchecked = inHttp(signedBy({ appId: 'nobody', appSecret: 'unchecked' }));

/** A `node:http` server with a constant answer: the most that one process of Node.js can answer. */
export async function bareServer(bench: Bench, traffic: Traffic): Promise<Contender> {
  const serving = await startServer(bench, script, ['constant', constantAnswer]);
  return underLoad(bench, serving, { ...traffic, encode: unchecked });
}

/** Verifies signatures, logs, and keeps an answer for each request: the most that a server with kept answers can do. */
export async function signedServer(bench: Bench, traffic: Traffic): Promise<Contender> {
  const signer = { appId: 'bench', appSecret: 'known to the bare server alone' };
  const args = ['kept', constantAnswer, signer.appId, signer.appSecret];
  const serving = await startServer(bench, script, args, join(bench.newFolder(), 'server.log'));
  return underLoad(bench, serving, { ...traffic, encode: inHttp(signedBy(signer)) });
}

/** Reads the user's row from PostgreSQL for each request, and answers a constant. */
export async function rowServer(bench: Bench, subject: Subject, traffic: Traffic): Promise<Contender> {
  const { database = '' } = await bench.newDirectory(subject, 'PostgreSQL');
  const serving = await startServer(bench, script, ['postgres', constantAnswer, database]);
  return underLoad(bench, serving, { ...traffic, encode: unchecked }, await bench.postgres());
}
