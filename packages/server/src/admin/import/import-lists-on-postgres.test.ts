import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { listRecords } from '../../../test/list-records.ts';
import {
  openTestPostgres,
  patientDirectory,
  type TestPostgres,
  untilLocked,
} from '../../../test/test-postgres.ts';
import { type OpenDirectory, openDirectory } from '../open-directory.ts';
import { requireTenant } from '../tenants.ts';
import { importOrgs, importRoles, importStores } from './import-lists.ts';

const folder = mkdtempSync(join(tmpdir(), 'fieldroster-import-postgres-'));
let postgres: TestPostgres;
let url: string;
let directory: OpenDirectory;

before(async () => {
  postgres = await openTestPostgres();
  url = await postgres.createMigratedDatabase();
  directory = await openDirectory({ ...patientDirectory, data: folder, database: url, environment: {} });
});

after(async () => {
  await directory.database.close();
  await postgres.stop();
  rmSync(folder, { recursive: true });
});

function listOf(content: string) {
  return { tenant: 'default', file: 'list.csv', records: listRecords(content) };
}

test('simultaneous imports assign different ids on an engine with several writers', async () => {
  const rows = Array.from({ length: 500 }, (_, index) => `,Role ${index}`).join('\n');
  const requests = Array.from({ length: 4 }, () => listOf(`id,name\n${rows}\n`));
  const counts = await Promise.all(requests.map((request) => importRoles(directory, request)));
  assert.equal(new Set(counts.flatMap(({ assignedIds }) => assignedIds)).size, 2000);
  const top = listOf('id,name\n9223372036854775807,Top\n,Next\n');
  assert.deepEqual((await importRoles(directory, top)).assignedIds, [2001n]);
});

test('a bad row is named and imports nothing', async () => {
  const { database } = directory;
  const tenant = await requireTenant(database, 'default');
  const orgs = listOf('id,name,parent_id\n1,Root,\n2,One,3\n3,Two,2\n');
  await assert.rejects(importOrgs(directory, orgs), {
    message: /line 3, column parent_id: organization 2 would be above/,
  });
  const stores = listOf('code,name\nA,Alpha\nB,Beta\nA,Again\n');
  await assert.rejects(importStores(directory, stores), {
    message: /line 4, column code: A is on line 2 already/,
  });
  const joined = listOf('code,name\nR&D=1,Fine\nX&limit=5,New\n');
  await assert.rejects(importStores(directory, joined), {
    message: /line 3, column code: the code is "X&limit=5"; a new code must not contain "&limit=",/,
  });
  for await (const row of database.importer.listOrgs(tenant.id)) assert.fail(String(row.id));
  for await (const row of database.importer.listStores(tenant.id)) assert.fail(row.code);
});

test('columns that the file lacks stay as they are', async () => {
  const { database } = directory;
  const tenant = await requireTenant(database, 'default');
  await importStores(directory, listOf('code,name,address\nA,Alpha,Road 1\nB,Beta,Road 2\n'));
  const second = 'code,name\nB,Changed\nC,Gamma\n';
  assert.deepEqual(await importStores(directory, listOf(second)), { inserted: 1, updated: 1, changed: 1 });
  const listed: string[] = [];
  for await (const row of database.importer.listStores(tenant.id)) listed.push(Object.values(row).join());
  assert.deepEqual(listed, ['A,Alpha,Road 1', 'B,Changed,Road 2', 'C,Gamma,']);
  assert.deepEqual(await importStores(directory, listOf(second)), { inserted: 0, updated: 2, changed: 0 });
});

test('a value that the file lacks stays as another write sets it meanwhile', async () => {
  const { database } = directory;
  const tenant = await requireTenant(database, 'default');
  await importStores(directory, listOf('code,name,address\nK,Kappa,Road 1\n'));
  const [moved, importing] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const moves = database.write(tenant.id, undefined, async ({ stores }) => {
    await stores.lock('K');
    await stores.update('K', { address: 'Road 2' });
    moved.resolve();
    await importing.promise;
    return { result: undefined, audit: { operation: 'test', changes: {} } };
  });
  await moved.promise;
  const imports = importStores(directory, listOf('code,name\nK,Renamed\n'));
  await untilLocked(url, imports);
  importing.resolve();
  await moves;
  assert.deepEqual(await imports, { inserted: 0, updated: 1, changed: 1 });
  const store = await database.directory(tenant.id).stores.find('K');
  assert.deepEqual(store, { code: 'K', name: 'Renamed', address: 'Road 2', revision: 3n });
});

test('an import adds, and counts as new, a store that another write deletes meanwhile', async () => {
  const { database } = directory;
  const tenant = await requireTenant(database, 'default');
  await importStores(directory, listOf('code,name,address\nG,Gamma,Road 1\nH,Eta,Road 2\n'));
  const [deleted, importing] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const deletes = database.write(tenant.id, undefined, async ({ stores }) => {
    await stores.lockToRemove('G', false);
    await stores.remove('G');
    deleted.resolve();
    await importing.promise;
    return { result: undefined, audit: { operation: 'test', changes: {} } };
  });
  await deleted.promise;
  const imports = importStores(directory, listOf('code,name,address\nG,Gamma,Road 1\nH,Eta,Road 3\n'));
  await untilLocked(url, imports);
  importing.resolve();
  await deletes;
  assert.deepEqual(await imports, { inserted: 1, updated: 1, changed: 1 });
  const newest = { filters: { operation: 'store import' }, after: undefined, limit: 1 };
  const { entries } = await database.directory(tenant.id).lists.listAuditEvents(newest);
  assert.deepEqual(
    entries.map(({ changes }) => changes),
    [{ inserted: 1, updated: 1, unchanged: 0 }],
  );
});

test('an import that loses a deadlock is tried again', async () => {
  const { database } = directory;
  const tenant = await requireTenant(database, 'default');
  await importStores(directory, listOf('code,name\nP,Pi\nQ,Qoppa\n'));
  const other = new pg.Client({ connectionString: url });
  await other.connect();
  // PostgreSQL ends the one that looks for the deadlock first.
  await other.query("set deadlock_timeout = '1h'");
  const lock = (code: string) =>
    other.query('select code from store where tenant_id = $1 and code = $2 for update', [tenant.id, code]);
  await other.query('begin');
  await lock('Q');
  const imports = importStores(directory, listOf('code,name\nP,Psi\nQ,Quince\n'));
  await untilLocked(url, imports);
  await lock('P');
  await other.query('commit');
  await other.end();
  assert.deepEqual(await imports, { inserted: 0, updated: 2, changed: 2 });
  assert.equal((await database.directory(tenant.id).stores.find('P'))?.name, 'Psi');
});
