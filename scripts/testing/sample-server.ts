import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import {
  addSampleUsers,
  importOrgs,
  importRoles,
  importStores,
  issueApplication,
  openDirectory,
  readSettings,
  startServer,
} from '@fieldroster/server';
import { readListFile } from '../../packages/cli/src/import-lists/read-list-file.ts';
import { readSampleUsers } from '../../packages/cli/src/serve/sample-users.ts';
import { temporaryFolder } from './temporary-folder.ts';

export interface SampleServer {
  readonly url: string;
  readonly appId: string;
  readonly appSecret: string;
}

const sample = fileURLToPath(new URL('../../packages/cli/sample/', import.meta.url));

/** Starts a server on the sample directory, like `npm start`, on a free port. */
export async function startSampleServer(t: TestContext): Promise<SampleServer> {
  const settings = readSettings({ port: '0', data: temporaryFolder(t), logLevel: 'silent' }, {});
  const directory = await openDirectory({ data: settings.data, environment: {} });
  const tenant = 'default';
  const list = (kind: 'roles' | 'orgs' | 'stores') => {
    const path = join(sample, `${kind}.csv`);
    return { tenant, file: path, records: readListFile(kind, { path }) };
  };
  await importRoles(directory, list('roles'));
  await importOrgs(directory, list('orgs'));
  await importStores(directory, list('stores'));
  await addSampleUsers(directory, { tenant, users: await readSampleUsers(join(sample, 'users.csv')) });
  const issued = await issueApplication(directory, { name: 'test', tenant, scope: 'manage' });
  await directory.database.close();
  const server = await startServer(settings, {});
  t.after(() => server.stop());
  return { url: server.url, ...issued };
}
