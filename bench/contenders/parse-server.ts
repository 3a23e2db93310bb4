import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serverFlags } from '../../packages/cli/src/serve/restart-with-server-flags.ts';
import { freePort } from '../../packages/server/src/workers/free-port.ts';
import { runSql } from '../../packages/server/test/test-postgres.ts';
import type { Bench } from '../bench.ts';
import { benchPostgres } from '../directory/bench-postgres.ts';
import type { Subject } from '../directory/seed.ts';
import type { Contender } from '../measurement.ts';
import { startServer } from '../process/start.ts';
import { readsOfUsers } from '../scenarios/traffic.ts';
import { peerFolder } from './npm-peer.ts';
import { underLoad } from './under-load.ts';

const [appId, masterKey, mountPath] = ['bench', 'master-key-of-the-benchmark', '/parse'];

/** With the operator's key it looks up no session. */
const headers = { 'X-Parse-Application-Id': appId, 'X-Parse-Master-Key': masterKey };

/** Parse Server's command with the same number of users, in a separate database on the same PostgreSQL. */
export async function parseServer(bench: Bench, { users }: Subject): Promise<Contender> {
  const program = join(peerFolder(bench, 'parse-server', 'PostgreSQL'), 'bin/parse-server');
  const postgres = await benchPostgres(bench);
  const database = await postgres.createDatabase();
  const port = await freePort('127.0.0.1');
  const configuration = join(bench.newFolder(), 'configuration.json');
  writeFileSync(configuration, JSON.stringify(settings(port, database)));
  const command = [process.execPath, ...serverFlags(), program, configuration];
  const serving = await startServer(bench, port, command, { environment: { NODE_ENV: 'production' } });
  await addProfileFields(serving.url);
  await runSql(database, insertUsers, [users]);
  await runSql(database, 'vacuum analyze');
  const traffic = readsOfUsers(users, userPath);
  const plan = { ...traffic, headersOf: () => headers, successPrefix: '{"objectId":' };
  return underLoad(bench, serving, plan, postgres);
}

/** Path of the user with that number, from 1. Its id is as long as those that Parse Server generates. */
function userPath(number: number): string {
  return `${mountPath}/users/U${String(number).padStart(9, '0')}`;
}

/** Production settings; everything else has its default. */
function settings(port: number, databaseURI: string) {
  return {
    databaseURI,
    // As many connections as our server opens.
    databaseOptions: { max: 10 },
    appId,
    masterKey,
    host: '127.0.0.1',
    port,
    mountPath,
    serverURL: `http://127.0.0.1:${port}${mountPath}`,
    directAccess: false,
    silent: true,
    verbose: false,
    logLevel: 'error',
    logsFolder: null,
  };
}

/** Adds the profile fields of a seeded user, except username, email and times, which Parse Server has already. */
async function addProfileFields(url: string): Promise<void> {
  const texts = ['realName', 'nickname', 'phone', 'department', 'avatar', 'uniqueCode'];
  const fields = Object.fromEntries(texts.map((name) => [name, { type: 'String' }]));
  const { status } = await fetch(`${url}${mountPath}/schemas/_User`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ className: '_User', fields: { ...fields, gender: { type: 'Number' } } }),
  });
  if (status !== 200) throw new Error(`Parse Server answered ${status} to the fields of a user`);
}

/** By SQL, because Parse Server hashes a password for each user that it creates. */
const insertUsers = `
  insert into "_User" ("objectId", "createdAt", "updatedAt", username, email, "realName", nickname, gender,
    phone, department, avatar, "uniqueCode", "_rperm", "_wperm")
  select 'U' || lpad(number::text, 9, '0'), now(), now(), 'user.' || lpad(number::text, 7, '0'),
    'rep' || number || '@example.com', 'Representative ' || number, 'Rep ' || number, 1 + number % 2,
    '+49 30 ' || 1000000 + number, 'Sales ' || number % 40,
    'https://images.example.com/' || number || '.png', 'E' || number, '{*}', '{}'
  from generate_series(1, $1::int) as number`;
