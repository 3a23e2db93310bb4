import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDirectory, requireTenant } from '@fieldroster/server/admin';
import { number, text, workbookOf } from '../../../tables/test/workbook.ts';
import { runCommand, startCommand, temporaryFolder } from '../../test/run-command.ts';

const folder = temporaryFolder();
const data = join(folder, 'data');
const run = (...words: string[]) => runCommand([...words, '--data', data], { cwd: folder });
await (await openDirectory({ data, environment: {} })).database.close();

test('roles are imported with assigned ids, updated and listed with every digit', async () => {
  writeFileSync(join(folder, 'roles.csv'), 'name,id,order,code\nBig,9007199254740993,2,BIG\nNew,,1,\n');
  const first = await run('role', 'import', 'roles.csv', '--json');
  assert.deepEqual(first, {
    exitCode: 0,
    stdout: '{"inserted":2,"updated":0,"changed":0,"assigned_ids":[9007199254740994]}\n',
    stderr: '',
  });
  assert.equal(
    (await run('role', 'list', '--json')).stdout,
    '[{"id":9007199254740993,"name":"Big","system_id":0,"order":2,"description":"","code":"BIG"},\n' +
      ' {"id":9007199254740994,"name":"New","system_id":0,"order":1,"description":""}]\n',
  );
  writeFileSync(join(folder, 'roles.csv'), 'id,name\n9223372036854775807,Top\n9007199254740993,Changed\n');
  assert.equal(
    (await run('role', 'import', 'roles.csv')).stdout,
    'imported 2 roles: 1 new, 1 changed, 0 unchanged\n',
  );
  assert.equal(
    (await run('role', 'list')).stdout.split('\n')[1],
    '9007199254740993     Changed  0       2      BIG',
  );
});

test('organizations are listed as the interface shows them, with 0 for no parent', async () => {
  writeFileSync(join(folder, 'orgs.csv'), 'id,name,parent_id\n2,Team,1\n1,Root,\n');
  assert.equal(
    (await run('org', 'import', 'orgs.csv')).stdout,
    'imported 2 orgs: 2 new, 0 changed, 0 unchanged\n',
  );
  assert.deepEqual(JSON.parse((await run('org', 'list', '--json')).stdout), [
    { id: 1, name: 'Root', parent_id: 0 },
    { id: 2, name: 'Team', parent_id: 1 },
  ]);
});

test('a bad line stops the import, which imports nothing and names the line', async () => {
  const rows = Array.from({ length: 15 }, (_, index) => `S${index},Store`);
  writeFileSync(join(folder, 'stores.csv'), ['code,name', ...rows, ',No code', 'S99,Store'].join('\n'));
  assert.deepEqual(await run('store', 'import', 'stores.csv'), {
    exitCode: 1,
    stdout: '',
    stderr: 'fieldroster: stores.csv line 17, column code: must not be empty; nothing was imported\n',
  });
  assert.equal((await run('store', 'list', '--json')).stdout, '[]\n');
  assert.equal((await run('store', 'list')).stdout, 'CODE  NAME  ADDRESS\n');
  for (const words of [[], ['--dry-run']]) {
    assert.deepEqual(await run('store', 'import', 'missing.csv', ...words), {
      exitCode: 2,
      stdout: '',
      stderr: 'fieldroster: FILE is missing.csv, which does not exist; put it there or correct the path\n',
    });
  }
});

test('a file is read with the flags of user import, and a folder is refused', async () => {
  const shops = Buffer.concat([
    Buffer.from('Filiale;name;region\nG1;'),
    Buffer.from([0xcd, 0xfb, 0xbe, 0xa9]),
    Buffer.from(';North\n'),
  ]);
  writeFileSync(join(folder, 'shops.txt'), shops);
  const words = ['store', 'import', 'shops.txt', '--dry-run'];
  assert.deepEqual(await run(...words), {
    exitCode: 1,
    stdout: '',
    stderr:
      "fieldroster: shops.txt line 2: the text is not UTF-8; save the file as 'CSV UTF-8', or say how it is written, such as --encoding windows-1252 (Latin-1) or gb18030; nothing was imported\n",
  });
  const flags = ['--encoding', 'gb18030', '--map', 'Filiale=code', '--ignore-unknown', '--delimiter', ';'];
  const { stdout, stderr } = await run(...words, ...flags);
  assert.match(stdout, /^\+ G1 {2}created \(line 2\)\n {4}name: 望京\n/, stderr);
  const wrong = await run(...words, '--map', 'Filiale=parent_id');
  assert.match(wrong.stderr, /there is no field 'parent_id'; the fields are code, name, address\n$/);
  const isFolder = await run('store', 'import', '.');
  assert.deepEqual(isFolder, {
    exitCode: 2,
    stdout: '',
    stderr: 'fieldroster: FILE is ., which is a folder; name the file in it\n',
  });
});

test('--dry-run prints each change as user import does, and changes and creates nothing', async () => {
  const write = (rows: string) => writeFileSync(join(folder, 'dry.csv'), `code,name,address\n${rows}`);
  write('D1,First,Road 1\nD2,Second,\nD3,Third,\n');
  await run('store', 'import', 'dry.csv');
  write('D2,Second,Road 2\nD1,,\nD4,"Fourth\u001b[2J",\nD3,Third,\n');
  assert.deepEqual(await run('store', 'import', 'dry.csv', '--dry-run'), {
    exitCode: 0,
    stdout:
      '~ D2  updated (line 2)\n    address: (empty) → Road 2\n+ D4  created (line 4)\n    name: Fourth\n' +
      'would import 4 stores: 1 new, 1 changed, 2 unchanged\n',
    stderr: '',
  });
  const imported = await run('store', 'import', 'dry.csv');
  assert.equal(imported.stdout, 'imported 4 stores: 1 new, 1 changed, 2 unchanged\n');
  const again = '4 stores: 0 new, 0 changed, 4 unchanged\n';
  assert.equal((await run('store', 'import', 'dry.csv', '--dry-run')).stdout, `would import ${again}`);
  assert.equal((await run('store', 'import', 'dry.csv')).stdout, `imported ${again}`);
  for (const words of [[], ['--dry-run']]) {
    const { stdout } = await run('store', 'import', 'dry.csv', ...words, '--json');
    assert.equal(stdout, '{"inserted":0,"updated":4,"changed":0}\n');
  }
  const json = await run('store', 'import', 'dry.csv', '--dry-run', '--clear-empty', '--json');
  assert.deepEqual([json.exitCode, json.stdout], [1, '']);
  assert.match(json.stderr, /dry\.csv line 3, column name: must not be empty; nothing was imported\n$/);
  write('D1,First,\n');
  assert.equal(
    (await run('store', 'import', 'dry.csv', '--dry-run', '--clear-empty', '--json')).stdout,
    '{"inserted":0,"updated":1,"changed":1}\n',
  );
  const stores = async () => JSON.parse((await run('store', 'list', '--json')).stdout);
  assert.deepEqual((await stores())[0], { code: 'D1', name: 'First', address: 'Road 1' });
  await run('store', 'import', 'dry.csv', '--clear-empty');
  assert.deepEqual((await stores())[0], { code: 'D1', name: 'First', address: '' });
  const nowhere = join(folder, 'nowhere');
  const missing = await runCommand(['store', 'import', 'dry.csv', '--dry-run', '--data', nowhere], {
    cwd: folder,
  });
  assert.equal(missing.exitCode, 1);
  assert.equal(existsSync(nowhere), false);
});

test('workbooks are imported with every digit, and values that a spreadsheet changed are refused', async () => {
  const write = (...rows: readonly (readonly [number, string])[]) =>
    writeFileSync(join(folder, 'orgs.xlsx'), workbookOf(rows));
  const header = [1, text('id') + text('name') + text('parent_id')] as const;
  write(header, [2, number('31') + text('Book')], [4, number('32') + text('Märkte') + number('31')]);
  const imported = await run('org', 'import', 'orgs.xlsx', '--dry-run');
  assert.deepEqual(imported, {
    exitCode: 0,
    stdout:
      '+ 31  created (line 2)\n    name: Book\n+ 32  created (line 4)\n    name: Märkte\n    parent_id: 31\n' +
      'would import 2 orgs: 2 new, 0 changed, 0 unchanged\n',
    stderr: '',
  });
  assert.equal(
    (await run('org', 'import', 'orgs.xlsx')).stdout,
    'imported 2 orgs: 2 new, 0 changed, 0 unchanged\n',
  );
  for (const [rows, message] of [
    [[header, [3, number('33') + number('45000', 1)]], 'line 3, column name: is a date; a spread'],
    [
      [header, [2, number('1.3800138000123501E+17') + text('Big')]],
      'line 2, column id: is a number that the spre',
    ],
    [[header, [2, number('34') + text('A') + number('35')]], 'line 2, column parent_id: there is no organiz'],
    [
      [header, [2, `${number('34')}<c t="e"><v>#N/A</v></c>`]],
      'line 2, column name: is the error #N/A; correct the for',
    ],
    [[[1, text('id') + text('nam')]], 'line 1, column nam: is unknown; the columns are id,name,parent_id'],
  ] as const) {
    write(...rows);
    const { exitCode, stdout, stderr } = await run('org', 'import', 'orgs.xlsx');
    assert.deepEqual([exitCode, stdout], [1, '']);
    assert.ok(stderr.startsWith(`fieldroster: orgs.xlsx ${message}`), stderr);
    assert.match(stderr, /; nothing was imported\n$/);
  }
  writeFileSync(join(folder, 'broken.xlsx'), 'no archive');
  const { stderr } = await run('role', 'import', 'broken.xlsx');
  assert.match(stderr, /^fieldroster: broken\.xlsx: cannot be read as a workbook: .*nothing was imported\n$/);
});

test('a list whose reader stops early ends without an error', async () => {
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

test('a stored name cannot move the terminal’s cursor', async () => {
  writeFileSync(join(folder, 'escape.csv'), 'code,name\n!,"\u001b[2Jgone\u0007"\n');
  await run('store', 'import', 'escape.csv');
  const [, row] = (await run('store', 'list')).stdout.split('\n');
  assert.match(row ?? '', /^! {6,}gone\ufffd/);
});

test('an import and another writing process do not make each other fail', async () => {
  const shared = join(folder, 'shared');
  const { database, vault } = await openDirectory({ data: shared, environment: {} });
  const { id: tenantId } = await requireTenant(database, 'default');
  const rows = Array.from({ length: 100_000 }, (_, index) => `S${index},Store ${index}`);
  writeFileSync(join(folder, 'shared.csv'), ['code,name', ...rows].join('\n'));
  const importShared = () =>
    runCommand(['store', 'import', join(folder, 'shared.csv'), '--data', shared, '--json']);
  let importing = true;
  let written = 0;
  const imported = (async () => {
    const first = await importShared();
    // A fast machine imports everything before many writes are done.
    while (written <= 100) assert.equal((await importShared()).exitCode, 0);
    return first;
  })().finally(() => {
    importing = false;
  });
  for (; importing; written++) {
    const audit = { operation: 'create-user', changes: {} };
    await database.write(tenantId, undefined, async (directory) => ({
      result: await directory.insertUser(`user-${written}`, {}),
      audit,
    }));
  }
  assert.deepEqual(await imported, {
    exitCode: 0,
    stdout: '{"inserted":100000,"updated":0,"changed":0}\n',
    stderr: '',
  });
  assert.ok(vault !== undefined && written > 100, `only ${written} writes went through`);
  let listed = 0;
  for await (const _ of database.importer.listStores(tenantId)) listed++;
  assert.equal(listed, 100_000);
  await database.close();
});
