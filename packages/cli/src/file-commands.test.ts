import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDirectory, requireTenant } from '@fieldroster/server/admin';
import { runCommand, startCommand, temporaryFolder } from '../test/run-command.ts';

const folder = temporaryFolder();
const data = join(folder, 'data');
const run = (...words: string[]) => runCommand([...words, '--data', data], { cwd: folder });
await (await openDirectory({ data, environment: {} })).database.close();

test('roles are imported with ids given, updated and listed with every digit', async () => {
  writeFileSync(join(folder, 'roles.csv'), 'name,id,order,code\nBig,9007199254740993,2,BIG\nNew,,1,\n');
  const first = await run('role', 'import', 'roles.csv', '--json');
  assert.deepEqual(first, {
    exitCode: 0,
    stdout: '{"inserted":2,"updated":0,"given_ids":[9007199254740994]}\n',
    stderr: '',
  });
  assert.equal(
    (await run('role', 'list', '--json')).stdout,
    '[{"id":9007199254740993,"name":"Big","system_id":0,"order":2,"description":"","code":"BIG"},\n' +
      ' {"id":9007199254740994,"name":"New","system_id":0,"order":1,"description":""}]\n',
  );
  writeFileSync(join(folder, 'roles.csv'), 'id,name\n9223372036854775807,Top\n9007199254740993,Changed\n');
  assert.equal((await run('role', 'import', 'roles.csv')).stdout, 'imported 2 roles: 1 new, 1 updated\n');
  assert.equal(
    (await run('role', 'list')).stdout.split('\n')[1],
    '9007199254740993     Changed  0       2      BIG',
  );
});

test('organizations are listed as the interface shows them, with 0 for no parent', async () => {
  writeFileSync(join(folder, 'orgs.csv'), 'id,name,parent_id\n2,Team,1\n1,Root,\n');
  assert.equal((await run('org', 'import', 'orgs.csv')).stdout, 'imported 2 orgs: 2 new, 0 updated\n');
  assert.deepEqual(JSON.parse((await run('org', 'list', '--json')).stdout), [
    { id: 1, name: 'Root', parent_id: 0 },
    { id: 2, name: 'Team', parent_id: 1 },
  ]);
});

test('a bad line fails the import with one line that names it, and imports nothing', async () => {
  const rows = Array.from({ length: 15 }, (_, index) => `S${index},Store`);
  writeFileSync(join(folder, 'stores.csv'), ['code,name', ...rows, ',No code', 'S99,Store'].join('\n'));
  assert.deepEqual(await run('store', 'import', 'stores.csv'), {
    exitCode: 1,
    stdout: '',
    stderr: 'fieldroster: stores.csv line 17, column code: must not be empty; nothing was imported\n',
  });
  assert.equal((await run('store', 'list', '--json')).stdout, '[]\n');
  assert.equal((await run('store', 'list')).stdout, 'CODE  NAME  ADDRESS\n');
  assert.equal(
    (await run('store', 'import', 'missing.csv')).stderr,
    'fieldroster: missing.csv: there is no such file\n',
  );
});

test('a list whose reader has seen enough ends without a complaint', async () => {
  const rows = Array.from({ length: 20_000 }, (_, index) => `S${index},A store with a rather long name`);
  writeFileSync(join(folder, 'many.csv'), ['code,name', ...rows].join('\n'));
  assert.equal((await run('store', 'import', 'many.csv')).exitCode, 0);
  const child = startCommand(['store', 'list', '--data', data]);
  child.stdout?.once('data', () => child.stdout?.destroy());
  let complaint = '';
  child.stderr?.on('data', (text) => {
    complaint += text;
  });
  assert.deepEqual([(await once(child, 'close'))[0], complaint], [0, '']);
});

test('a stored name cannot move the cursor of the terminal that lists it', async () => {
  writeFileSync(join(folder, 'escape.csv'), 'code,name\n!,"\u001b[2Jgone\u0007"\n');
  await run('store', 'import', 'escape.csv');
  const [, row] = (await run('store', 'list')).stdout.split('\n');
  assert.match(row ?? '', /^! {6,}gone\ufffd/);
});

test('an import and another process that writes do not refuse each other', async () => {
  const shared = join(folder, 'shared');
  const { database, vault } = await openDirectory({ data: shared, environment: {} });
  const { id: tenantId } = await requireTenant(database, 'default');
  const rows = Array.from({ length: 100_000 }, (_, index) => `S${index},Store ${index}`);
  writeFileSync(join(folder, 'shared.csv'), ['code,name', ...rows].join('\n'));
  let importing = true;
  const imported = runCommand([
    'store',
    'import',
    join(folder, 'shared.csv'),
    '--data',
    shared,
    '--json',
  ]).finally(() => {
    importing = false;
  });
  let written = 0;
  for (; importing; written++) {
    const audit = { operation: 'create-user', changes: {} };
    await database.write(tenantId, undefined, async (directory) => ({
      result: await directory.insertUser(`user-${written}`, {}),
      audit,
    }));
  }
  assert.deepEqual(await imported, { exitCode: 0, stdout: '{"inserted":100000,"updated":0}\n', stderr: '' });
  assert.ok(vault !== undefined && written > 100, `only ${written} writes went through`);
  let listed = 0;
  for await (const _ of database.importer.listStores(tenantId)) listed++;
  assert.equal(listed, 100_000);
  await database.close();
});
