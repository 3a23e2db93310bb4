import { createServer, type RequestListener } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { runSql } from '../../packages/server/test/test-postgres.ts';
import { serveParent } from '../process/parent.ts';
import {
  insertUsers,
  parseAppId,
  parseMasterKey,
  parsePath,
  parseServerOptions,
  userSchema,
} from './parse-server-settings.ts';

/** The part of Parse Server that is used here. */
interface ParseServerPackage {
  readonly ParseServer: new (options: object) => { readonly app: RequestListener; start(): Promise<unknown> };
}

type Express = () => RequestListener & { use(path: string, app: RequestListener): void };

/** Arguments: the folder of the installed package, the URL of an empty database, and how many users it gets. */
const [packageFolder = '', database = '', users = ''] = process.argv.slice(2);
process.env.NODE_ENV = 'production';
const require = createRequire(join(packageFolder, 'package.json'));
const express = require('express') as Express;
const { ParseServer } = require('parse-server') as ParseServerPackage;

const app = express();
const server = createServer(app);
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const parse = new ParseServer(parseServerOptions(database, `${url}${parsePath}`));
await parse.start();
app.use(parsePath, parse.app);
await addProfileFields();
await runSql(database, insertUsers, [users]);
await runSql(database, 'vacuum analyze');
serveParent(url);

async function addProfileFields(): Promise<void> {
  const { status } = await fetch(`${url}${parsePath}/schemas/_User`, {
    method: 'PUT',
    headers: {
      'Content-Type': 'application/json',
      'X-Parse-Application-Id': parseAppId,
      'X-Parse-Master-Key': parseMasterKey,
    },
    body: JSON.stringify(userSchema),
  });
  if (status !== 200) throw new Error(`Parse Server answered ${status} to the fields of a user`);
}
