import { createServer, type RequestListener } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { runSql } from '../../packages/server/test/test-postgres.ts';
import { serveParent } from '../process/parent.ts';

/** The part of Parse Server that this program uses. */
interface ParseServerPackage {
  readonly ParseServer: new (options: object) => { readonly app: RequestListener; start(): Promise<unknown> };
}

type Express = () => RequestListener & { use(path: string, app: RequestListener): void };

/** Arguments: the folder of the installed package, the URL of an empty database, the number of users, and settings. */
const [packageFolder = '', databaseURI = '', users = '', appId = '', masterKey = '', mountPath = ''] =
  process.argv.slice(2);
process.env.NODE_ENV = 'production';
const require = createRequire(join(packageFolder, 'package.json'));
const express = require('express') as Express;
const { ParseServer } = require('parse-server') as ParseServerPackage;

const app = express();
const server = createServer(app);
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

/** Production settings; everything else has its default. */
const parse = new ParseServer({
  databaseURI,
  // As many connections as our server opens.
  databaseOptions: { max: 10 },
  appId,
  masterKey,
  serverURL: `${url}${mountPath}`,
  directAccess: false,
  silent: true,
  verbose: false,
  logLevel: 'error',
  logsFolder: null,
});
await parse.start();
app.use(mountPath, parse.app);
await addProfileFields();
await insertUsers();
await runSql(databaseURI, 'vacuum analyze');
serveParent(url);

/** Adds the profile fields of a seeded user, except username, email and times, which Parse Server has already. */
async function addProfileFields(): Promise<void> {
  const texts = ['realName', 'nickname', 'phone', 'department', 'avatar', 'uniqueCode'];
  const fields = Object.fromEntries(texts.map((name) => [name, { type: 'String' }]));
  const { status } = await fetch(`${url}${mountPath}/schemas/_User`, {
    method: 'PUT',
    headers: {
      'Content-Type': 'application/json',
      'X-Parse-Application-Id': appId,
      'X-Parse-Master-Key': masterKey,
    },
    body: JSON.stringify({ className: '_User', fields: { ...fields, gender: { type: 'Number' } } }),
  });
  if (status !== 200) throw new Error(`Parse Server answered ${status} to the fields of a user`);
}

/** By SQL, because Parse Server hashes a password for each user that it creates. */
async function insertUsers(): Promise<void> {
  const insert = `
    insert into "_User" ("objectId", "createdAt", "updatedAt", username, email, "realName", nickname, gender,
      phone, department, avatar, "uniqueCode", "_rperm", "_wperm")
    select 'U' || lpad(number::text, 9, '0'), now(), now(), 'user.' || lpad(number::text, 7, '0'),
      'rep' || number || '@example.com', 'Representative ' || number, 'Rep ' || number, 1 + number % 2,
      '+49 30 ' || 1000000 + number, 'Sales ' || number % 40,
      'https://images.example.com/' || number || '.png', 'E' || number, '{*}', '{}'
    from generate_series(1, $1::int) as number`;
  await runSql(databaseURI, insert, [users]);
}
