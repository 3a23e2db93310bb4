import { fileURLToPath } from 'node:url';
import { inHttp } from '../load/request-file.ts';
import type { Bench, Subject } from '../measurement.ts';
import { Child } from '../process/child.ts';
import { installPeer, versionOfPeer } from './npm-peer.ts';
import { parseAppId, parseMasterKey, parsePath } from './parse-server-settings.ts';
import { ServerUnderLoad, type Traffic } from './server-under-load.ts';

const script = fileURLToPath(new URL('./serve-parse-server.ts', import.meta.url));

/** Its operator's key: no session is looked up and no signature is verified. */
const encode = inHttp(() => ({ 'X-Parse-Application-Id': parseAppId, 'X-Parse-Master-Key': parseMasterKey }));

/** Parse Server with as many users in an own database of the same PostgreSQL, under the traffic's load. */
export async function parseServer(bench: Bench, subject: Subject, traffic: Traffic) {
  const packageFolder = installPeer({ packageName: 'parse-server', version: '9' });
  const postgres = await bench.postgres();
  const args = [packageFolder, await postgres.createDatabase(), String(subject.users)];
  const serving = await Child.serve({ script, args, cores: bench.cores.server });
  const plan = { ...traffic, encode, successPrefix: '{"objectId":' };
  const version = versionOfPeer(packageFolder);
  bench.notes.push(`Parse Server is ${version}, on the same Node.js, its users in PostgreSQL.`);
  return new ServerUnderLoad(bench, serving, plan, postgres);
}

/** Path of the user with that number, from 1. */
export function parseUserPath(number: number): string {
  return `${parsePath}/users/${objectId(number)}`;
}

/** As long as the ids that it generates. */
function objectId(number: number): string {
  return `U${String(number).padStart(9, '0')}`;
}
