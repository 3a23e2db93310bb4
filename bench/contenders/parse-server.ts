import { inHttp } from '../load/requests.ts';
import type { Bench, Contender, Subject } from '../measurement.ts';
import { startServer } from '../process/program.ts';
import { installPeer, versionOfPeer } from './npm-peer.ts';
import { type Traffic, underLoad } from './under-load.ts';

const [appId, masterKey, mountPath] = ['bench', 'master-key-of-the-benchmark', '/parse'];

/** With the operator's key it looks up no session. */
const encode = inHttp(() => ({ 'X-Parse-Application-Id': appId, 'X-Parse-Master-Key': masterKey }));

/** Parse Server with the same number of users, in a separate database on the same PostgreSQL. */
export async function parseServer(bench: Bench, subject: Subject, traffic: Traffic): Promise<Contender> {
  const packageFolder = installPeer({ packageName: 'parse-server', version: '9' });
  const postgres = await bench.postgres();
  const database = await postgres.createDatabase();
  const args = [packageFolder, database, String(subject.users), appId, masterKey, mountPath];
  const serving = await startServer(bench, 'contenders/serve-parse-server.ts', args);
  const version = versionOfPeer(packageFolder);
  bench.notes.push(`Parse Server is ${version}, on the same Node.js, its users in PostgreSQL.`);
  return underLoad(bench, serving, { ...traffic, encode, successPrefix: '{"objectId":' }, postgres);
}

/** Path of the user with that number, from 1. Its id is as long as those that Parse Server generates. */
export function parseUserPath(number: number): string {
  return `${mountPath}/users/U${String(number).padStart(9, '0')}`;
}
