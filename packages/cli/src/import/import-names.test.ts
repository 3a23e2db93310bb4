import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { UnreliableProxy } from '../../../client/test/unreliable-proxy.ts';
import { hideIn, text, workbookOf } from '../../../tables/test/workbook.ts';
import { ImportBench } from '../../test/import-bench.ts';
import { collect, runCommand, startCommand } from '../../test/run-command.ts';

const bench = await ImportBench.open('main', 'resumed');
const { client } = bench.tenant('main');
await client.createOrg({ id: 3n, name: 'Export', parent_id: 1n });
await client.createOrg({ id: 4n, name: 'North', parent_id: 3n });

const run = (words: readonly string[], tenant = 'main') =>
  runCommand(['user', 'import', ...words], { env: bench.tenant(tenant).env });

async function bindingsOf(username: string) {
  const { roles, orgs } = await client.queryUser({ username });
  return [roles[0]?.id, orgs[0]?.id];
}

function resultOf(path: string): string[] {
  return readFileSync(`${path}.result.csv`, 'utf8').trimEnd().split('\n').slice(1);
}

describe('user import', () => {
  test('takes the name of a role, and the name or path of an organization, in place of the id', async () => {
    const path = bench.write(
      'names.csv',
      [
        'username,role,organization',
        'name.a,representative,EXPORT',
        'name.b, Leader ,Head / North',
        'name.c,8,3',
        'name.d,,Head > Export > North',
      ].join('\n'),
    );
    const { exitCode, stderr } = await run([path]);
    assert.deepEqual([exitCode, stderr], [0, '']);
    assert.deepEqual(await bindingsOf('name.a'), [7n, 3n]);
    assert.deepEqual(await bindingsOf('name.b'), [8n, 2n]);
    assert.deepEqual(await bindingsOf('name.c'), [8n, 3n]);
    assert.deepEqual(await bindingsOf('name.d'), [undefined, 4n]);
  });

  test('shows in a dry run which role and organization a name stands for', async () => {
    const path = bench.write('dry-names.csv', 'username,role name,org name\ndry.name,leader,Export\n');
    const { stdout } = await run([path, '--dry-run']);
    assert.match(stdout, /^ {4}role_id: 8 \(Leader\)$/m);
    assert.match(stdout, /^ {4}org_id: 3 \(Head \/ Export\)$/m);
  });

  test('fails a row whose name matches nothing or several entries, and keeps the name in the file of failed rows', async () => {
    const path = bench.write(
      'wrong-names.csv',
      'username,role,org\nwrong.a,Boss,\nwrong.b,,north\nwrong.c,7,South\nwrong.d,Leader,Head\n',
    );
    const { exitCode } = await run([path]);
    assert.equal(exitCode, 1);
    assert.deepEqual(resultOf(path), [
      `2,wrong.a,failed,,"no role is called ""Boss""; enter the name of a role, or its id"`,
      '3,wrong.b,failed,,"2 organizations are called ""north""; enter the id or the path of one: 2 (Head / North), 4 (Head / Export / North)"',
      `4,wrong.c,failed,,"no organization is called ""South""; enter the name of an organization, its path, such as Company / North, or its id"`,
      '5,wrong.d,created,0,',
    ]);
    for (const username of ['wrong.a', 'wrong.b', 'wrong.c'])
      await assert.rejects(client.queryUser({ username }), { code: 1101 });
    const failed = readFileSync(`${path}.failed.csv`, 'utf8')
      .replace(',Boss,', ',Leader,')
      .replace('b,,north', 'b,,4');
    const again = bench.write('wrong-again.csv', failed);
    const { stdout } = await run([again, '--json']);
    assert.partialDeepStrictEqual(JSON.parse(stdout), { created: 2, failed: 1 });
    assert.deepEqual(await bindingsOf('wrong.b'), [undefined, 4n]);
  });

  test('takes the name beside an empty id, and refuses a name of another entry than the id', async () => {
    const path = bench.write(
      'both.csv',
      [
        'username,Role name,role_id,org_id,org name',
        'both.a,Leader,,3,export',
        'both.b,Leader,7,3,',
        'both.c,Head of sales,7,,Head',
        'both.d,,,3,Head',
      ].join('\n'),
    );
    assert.equal((await run([path])).exitCode, 1);
    assert.deepEqual(resultOf(path), [
      '2,both.a,created,0,',
      '3,both.b,failed,,"the id of the role is 7, but ""Leader"" is the name of 8; correct the id or the name, or leave one of them empty"',
      '4,both.c,created,0,',
      '5,both.d,failed,,"the id of the organization is 3, but ""Head"" is the name of 1 (Head); correct the id or the name, or leave one of them empty"',
    ]);
    assert.deepEqual(await bindingsOf('both.a'), [8n, 3n]);
    assert.deepEqual(await bindingsOf('both.c'), [7n, 1n]);
    const without = await run([path, '--map', 'Role name=', '--map', 'org name=']);
    assert.equal(without.exitCode, 0, without.stderr);
    assert.deepEqual(await bindingsOf('both.b'), [7n, 3n]);
    const twice = bench.write('role-twice.csv', 'username,Role ID,Role\ntwice.a,,Leader\n');
    assert.match(
      (await run([twice])).stderr,
      /'Role ID' and 'Role' are both role_id; leave one out: --map 'Role=', or read it as the names beside the ids: --map 'Role=role_name'$/m,
    );
    assert.equal((await run([twice, '--map', 'Role=role_name'])).exitCode, 0);
    assert.deepEqual(await bindingsOf('twice.a'), [8n, undefined]);
    const mapped = bench.write('mapped.csv', 'username,Funktion,role\nmapped.a,leader,\n');
    assert.equal((await run([mapped, '--map', 'Funktion=role_name'])).exitCode, 0);
    assert.deepEqual(await bindingsOf('mapped.a'), [8n, undefined]);
  });

  test('takes an export of the console as it is, and says which of its columns no import sets', async () => {
    await client.batchUsers({ users: [{ username: 'exported.a', role_id: 8n, org_id: 4n }] });
    const header =
      'username,real_name,phone,department,role_id,org_id,role_name,org_name,nickname,email,unique_code,gender,avatar,id,status,created_at,updated_at';
    const rows = ['exported.a', 'exported.b'].map(
      (name) =>
        `${name},,,,8,4,Leader,North,,,,0,,7,active,2026-01-01T00:00:00.000Z,2026-01-01T00:00:00.000Z`,
    );
    const path = bench.write('console.csv', `\ufeff${[header, ...rows].join('\r\n')}\r\n`);
    const { exitCode, stdout, stderr } = await run([path, '--json']);
    assert.equal(exitCode, 0, stderr);
    assert.partialDeepStrictEqual(JSON.parse(stdout), { created: 1, unchanged: 1, failed: 0 });
    assert.match(
      stderr,
      /^fieldroster: leaves out id, status, created_at, updated_at, which an import does not set$/m,
    );
    const misspelt = bench.write('misspelt.csv', 'username,Status\na,active\n');
    assert.match((await run([misspelt])).stderr, /the column 'Status' is not one of username, /);
  });

  test('says how many rows of a workbook, or of a hidden sheet, a spreadsheet program does not show', async () => {
    const book = workbookOf([
      [1, text('username')],
      [2, text('hidden.a')],
      [3, text('hidden.b')],
    ]);
    const path = bench.write('hidden.xlsx', hideIn(book, { name: 'Staff', rows: [3] }));
    const { exitCode, stderr } = await run([path]);
    assert.equal(exitCode, 0, stderr);
    assert.match(stderr, /^fieldroster: also imports 1 row that is hidden in the sheet "Staff"$/m);
    const sheet = bench.write('sheet.xlsx', hideIn(book, { name: 'Old', state: 'hidden' }));
    assert.match(
      (await run([sheet, '--dry-run'])).stderr,
      /^fieldroster: reads 2 rows from the first sheet, "Old", which is hidden in the workbook$/m,
    );
  });

  test('takes names from lines of JSON', async () => {
    const path = bench.write('names.jsonl', '{"username":"json.name","role_id":"leader","org":"Export"}\n');
    assert.equal((await run([path])).exitCode, 0);
    assert.deepEqual(await bindingsOf('json.name'), [8n, 3n]);
  });

  test('requests each list once for all names, and none if the file has only ids', async (t) => {
    const { env } = bench.tenant('main');
    const proxy = await UnreliableProxy.start(Number(new URL(env.FIELDROSTER_URL).port));
    t.after(() => proxy.close());
    const lists: string[] = [];
    proxy.treat = (_count, { target }) => {
      const [list] = /\/(?:roles|orgs)\b/.exec(target) ?? [];
      if (list !== undefined) lists.push(list);
      return 'deliver';
    };
    const through = { env: { ...env, FIELDROSTER_URL: proxy.url } };
    const rows = (role: string) =>
      Array.from({ length: 90 }, (_, index) => `many.${index},${role},2\n`).join('');
    const named = bench.write('many.csv', `username,role,org\n${rows('Leader')}`);
    const result = await runCommand(['user', 'import', named, '--batch-size', '9'], through);
    assert.equal(result.exitCode, 0, result.stderr);
    assert.deepEqual(lists, ['/roles']);
    const ids = bench.write('ids.csv', `username,role,org\n${rows('8')}`);
    assert.equal((await runCommand(['user', 'import', ids], through)).exitCode, 0);
    assert.deepEqual(lists, ['/roles']);
  });
});

test('an interrupted import resumes with the same ids, and is refused once a name stands for something else', async (t) => {
  const { env, client: own } = bench.tenant('resumed');
  const proxy = await UnreliableProxy.start(Number(new URL(env.FIELDROSTER_URL).port));
  t.after(() => proxy.close());
  const through = { env: { ...env, FIELDROSTER_URL: proxy.url } };
  const busy = {
    status: 503,
    headers: { 'Retry-After': '250' },
    body: JSON.stringify({ code: 1503, message: 'busy' }),
  };
  const path = bench.write('resumed.csv', 'username,org\nstop.1,north\nstop.2,north\nstop.3,north\n');
  const words = ['user', 'import', path, '--batch-size', '1', '--parallel', '1'];
  let batches = 0;
  proxy.treat = (_count, { target }) => {
    if (target.endsWith('/batch')) batches += 1;
    return batches < 2 ? 'deliver' : busy;
  };
  const child = startCommand(words, through);
  const ended = collect(child);
  const timer = setTimeout(() => child.kill('SIGKILL'), 200_000);
  t.after(() => clearTimeout(timer));
  while (batches < 2 && child.exitCode === null) await delay(1);
  child.kill('SIGINT');
  assert.equal((await ended).exitCode, 130);

  proxy.treat = () => 'deliver';
  await own.createOrg({ id: 5n, name: 'NORTH', parent_id: 1n });
  const refused = await runCommand(words, through);
  assert.equal(refused.exitCode, 2);
  assert.match(
    refused.stderr,
    /names in the file no longer stand for the same roles or organizations; start from the first row with --restart/,
  );
  await assert.rejects(own.queryUser({ username: 'stop.2' }), { code: 1101 });
  assert(existsSync(`${path}.result.csv.state`));

  await own.updateOrg({ id: 5n, name: 'South' });
  const resumed = await runCommand(words, through);
  assert.equal(resumed.exitCode, 0, resumed.stderr);
  assert.match(resumed.stderr, /resumes after 1 row that is already done\n/);
  const { orgs } = await own.queryUser({ username: 'stop.3' });
  assert.equal(orgs[0]?.id, 2n);
});
