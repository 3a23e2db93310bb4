import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { UnreliableProxy } from '../../../client/test/unreliable-proxy.ts';
import { text, workbook, workbookOf } from '../../../tables/test/workbook.ts';
import { ImportBench, readResults } from '../../test/import-bench.ts';
import { runCommand } from '../../test/run-command.ts';

const bench = await ImportBench.open('main', 'copy', 'lists', 'secrets');

const run = (words: readonly string[], tenant = 'main') =>
  runCommand(['user', ...words], { env: bench.tenant(tenant).env });

interface Totals {
  readonly rows: number;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly failed: number;
}

async function importFile(path: string, flags: readonly string[] = [], tenant = 'main'): Promise<Totals> {
  const { exitCode, stdout, stderr } = await run(['import', path, '--json', ...flags], tenant);
  assert.notEqual(stdout, '', stderr);
  const totals = JSON.parse(stdout) as Totals;
  assert.equal(exitCode, totals.failed > 0 ? 1 : 0, stderr);
  return totals;
}

/** Returns a user as the server has it, without `user show`, which has its own test. */
async function show(username: string) {
  const { client } = bench.tenant('main');
  const user = await client.queryUser({ username });
  const { stores } = await client.queryUserStores({ user_id: user.id });
  return { ...user, stores: stores.map(({ code }) => code) };
}

describe('user import', { concurrency: 2 }, () => {
  test('reports a row without a username by its line', async () => {
    const path = bench.write('nameless.csv', 'username,phone\n,123\nnamed,456\n');
    const { exitCode, stderr } = await run(['import', path]);
    assert.equal(exitCode, 1);
    assert.match(stderr, /^fieldroster: line 2: username is missing$/m);
  });

  test('creates users with their bindings, and changes nothing the second time', async () => {
    const path = bench.write(
      'first.csv',
      '\ufeffUser Name,Full name,Mobile,Role,Organization,Stores\r\nmara,"Okafor, Mara",+234 1,7,2,S001; S002 ;S001\r\n\r\nli.wei,李伟,,8,,\r\n',
    );
    assert.partialDeepStrictEqual(await importFile(path), { rows: 2, created: 2, failed: 0 });
    const mara = await show('mara');
    assert.deepEqual([mara.real_name, mara.phone, mara.stores], ['Okafor, Mara', '+234 1', ['S001', 'S002']]);
    assert.deepEqual([mara.roles[0]?.id, mara.orgs[0]?.id], [7n, 2n]);
    assert.equal((await show('li.wei')).real_name, '李伟');
    assert.partialDeepStrictEqual(await importFile(path), { unchanged: 2, created: 0 });
    assert.deepEqual(readResults(`${path}.result.csv`), [
      ['2', 'mara', 'unchanged', '0', ''],
      ['4', 'li.wei', 'unchanged', '0', ''],
    ]);
    assert(!existsSync(`${path}.result.csv.state`));
  });

  test('reports in a dry run what would change for each user, and changes nothing', async () => {
    await importFile(
      bench.write('dry-before.csv', 'username,phone,stores\ndry.a,1,S001;S002\ndry.b,1,S001\n'),
    );
    const before = bench.readUsers('main').filter((user) => /"dry\./.test(JSON.stringify(user)));
    const path = bench.write(
      'dry.csv',
      'username,phone,password,stores\ndry.a,2,,S002;S003\ndry.b,1,,S001\ndry.c,3,hush-hush,S004\ndry.d,,,nowhere\n',
    );
    const { exitCode, stdout, stderr } = await run(['import', path, '--dry-run', '--unchanged']);
    assert.deepEqual([exitCode, stderr], [1, '']);
    assert.equal(
      stdout,
      `~ dry.a  updated (line 2)
    phone: 1 → 2
    stores: +S003
    stores: -S001
= dry.b  unchanged (line 3)
+ dry.c  created (line 4)
    phone: 3
    password: set
    stores: +S004
! dry.d  failed (line 5): 1401 the store does not exist: "nowhere"
would import 4 rows of dry.csv: 1 created, 1 updated, 1 unchanged, 1 failed
`,
    );
    assert.deepEqual(
      bench.readUsers('main').filter((user) => /"dry\./.test(JSON.stringify(user))),
      before,
    );
    assert.deepEqual(
      readdirSync(bench.folder).filter((name) => name.startsWith('dry.csv')),
      ['dry.csv'],
    );
  });

  test('leaves fields with an empty cell as they are, or clears them on request', async () => {
    await importFile(bench.write('full.csv', 'username,phone,stores,role\nempty,1,S001,7\n'));
    const path = bench.write('empty.csv', 'username,phone,stores,role\nempty,,,\n');
    assert.partialDeepStrictEqual(await importFile(path), { unchanged: 1 });
    assert.partialDeepStrictEqual(await importFile(path, ['--clear-empty']), { updated: 1 });
    const { phone, stores, roles } = await show('empty');
    assert.deepEqual([phone, stores, roles.length], ['', [], 1]);
  });

  test('reports each failed row by its line, and imports the others', async () => {
    const path = bench.write(
      'failing.csv',
      [
        'username,real_name,phone,role_id,stores',
        'row.ok,fine,1,7,S001',
        'row.short,one',
        'row.store,"two\nlines",1,7,nowhere',
        ',no name,1,7,',
        'row.role,x,1,99,',
        'row.id,x,1,seven,',
        'row.phone,x,1.38E+10,7,',
        'row.ok,again,1,7,',
        `${'n'.repeat(51)},x,1,7,`,
        'row.many ,x,1.38E+10,7.5,',
      ].join('\n'),
    );
    assert.partialDeepStrictEqual(await importFile(path), { rows: 10, created: 1, failed: 9 });
    const told = readFileSync(`${path}.result.csv`, 'utf8').split('\n').slice(1, -1);
    assert.deepEqual(
      told.map((line) => line.slice(0, 90)),
      [
        '2,row.ok,created,0,',
        `3,row.short,failed,,"the row has 2 values, the header 5; the value of 'phone' is missing"`,
        '4,row.store,failed,1401,"the store does not exist: ""nowhere"""',
        '6,,failed,,username is missing',
        '7,row.role,failed,1201,no role has id 99',
        '8,row.id,failed,,"no role is called ""seven""; enter the name of a role, or its id"',
        '9,row.phone,failed,,"phone is 1.38E+10, a number that a spreadsheet has shortened; format the column a',
        '10,row.ok,failed,,"the username is already in line 2; a user has one row, with all of its stores"',
        `11,${'n'.repeat(50)},failed,,"username must be at most 50 characters; it has 51`,
        '12,row.many ,failed,,"(1) username must be free of control characters, and of white space ',
      ].map((line) => line.slice(0, 90)),
    );
    assert.match(
      told.at(-1) ?? '',
      /U\+0020; \(2\) phone is 1\.38E\+10, .*; \(3\) no role is called ""7\.5""; enter the name of a role, or its id"$/,
    );
  });

  test('says how to separate store codes that something else joins', async () => {
    const cells = ['"S001,S002"', 'S001、S002', '"S001\nS002"', 'S001/S002', 'nowhere'];
    const rows = cells.map((cell, index) => `joined.${index},${cell}`);
    const path = bench.write('joined.csv', ['username,stores', ...rows].join('\n'));
    assert.partialDeepStrictEqual(await importFile(path), { created: 0, failed: 5 });
    const told = readFileSync(`${path}.result.csv`, 'utf8');
    for (const quoted of ['S001,S002', 'S001、S002', 'S001\\nS002', 'S001/S002'])
      assert(
        told.includes(
          `1401,"the store does not exist: ""${quoted}""; if these are several codes, separate them with ';'"`,
        ),
        `${quoted}\n${told}`,
      );
    assert.match(told, /does not exist: ""nowhere"""$/m);
    await importFile(path, ['--store-separator', '|']);
    assert.match(
      readFileSync(`${path}.result.csv`, 'utf8'),
      /S002""; if these are several codes, separate them with '\|'"$/m,
    );
    const lines = bench.write('joined.jsonl', '{"username":"joined","store_codes":["S001,S002"]}\n');
    await importFile(lines);
    assert.match(
      readFileSync(`${lines}.result.csv`, 'utf8'),
      /S002""; if these are several codes, give each by itself"$/m,
    );
  });

  test('imports the rows around a value that is larger than a request may hold', async () => {
    const huge = 'x'.repeat(3_000_000);
    const path = bench.write('huge.csv', `username,real_name\nhuge.a,"${huge}"\nhuge.b,good\n`);
    const { exitCode, stderr } = await run(['import', path]);
    const problem = 'real_name must be at most 100 characters; it has 3000000';
    assert.deepEqual([exitCode, stderr], [1, `fieldroster: line 2: huge.a: ${problem}\n`]);
    assert.equal((await show('huge.b')).real_name, 'good');
  });

  test('guards formulas behind semicolons, at which a spreadsheet in some languages ends a cell', async () => {
    const path = bench.write('semicolons.csv', 'username,real_name,stores\nx;=1+1,y;=2+2,nowhere\n');
    assert.partialDeepStrictEqual(await importFile(path, ['--store-separator', '|']), { failed: 1 });
    assert.match(readFileSync(`${path}.result.csv`, 'utf8'), /^2,"x;'=1\+1",failed,1401,/m);
    assert.match(readFileSync(`${path}.failed.csv`, 'utf8'), /,"x;'=1\+1","y;'=2\+2",nowhere$/m);
  });

  test('writes the failed rows with their columns and the reason, to correct and import again', async () => {
    const content = [
      'Login;Mobile;password;Wages;stores',
      'fail.ok;1;;;S001',
      'fail.store;2;=1+1;"a\r\nb";nowhere',
      'fail.short;=5',
      "fail.id;'=7;'=secret-word;x;nowhere",
    ].join('\n');
    const path = bench.write('corrected.csv', content);
    const failed = `${path}.failed.csv`;
    const flags = ['--map', 'Wages='];
    const { exitCode, stdout } = await run(['import', path, ...flags]);
    assert.equal(exitCode, 1);
    assert.ok(stdout.endsWith(`; correct the failed ones in ${failed}, and import that\n`), stdout);
    assert.equal(statSync(failed).mode & 0o777, 0o600);
    const text = readFileSync(failed, 'utf8');
    const problem = '"1401 the store does not exist: ""nowhere"""';
    assert.equal(
      text,
      [
        'import_problem,Login,Mobile,password,Wages,stores',
        `${problem},fail.store,2,=1+1,"a\r\nb",nowhere`,
        `"the row has 2 values, the header 5; the value of 'password' is missing",fail.short,'=5`,
        `${problem},fail.id,'=7,'=secret-word,x,nowhere`,
        '',
      ].join('\n'),
    );
    const corrected = text.replace('",nowhere\n', '",S002\n').replace("'=5", "'=5,,,");
    const again = bench.write('corrected-again.csv', corrected);
    const totals = await importFile(again, flags);
    assert.partialDeepStrictEqual(totals, { created: 2, failed: 1, failed_rows: `${again}.failed.csv` });
    assert.deepEqual((await show('fail.store')).stores, ['S002']);
    assert.equal((await show('fail.short')).phone, '=5');
    const { client } = bench.tenant('main');
    await client.checkPassword({ username: 'fail.store', password: '=1+1' });
    const left = readFileSync(`${again}.failed.csv`, 'utf8');
    assert.equal(left, text.split('\n').toSpliced(1, 3).join('\n'), 'one row and no old reason is left');
    bench.write('corrected-again.csv', left.replace('nowhere\n', 'S003\n'));
    assert.partialDeepStrictEqual(await importFile(again, [...flags, '--restart']), {
      created: 1,
      failed: 0,
    });
    assert.equal((await show('fail.id')).phone, '=7');
    await client.checkPassword({ username: 'fail.id', password: "'=secret-word" });
    assert.equal(existsSync(`${again}.failed.csv`), false, 'nothing is left to correct');
  });

  test('writes failed lines of JSON as lines of JSON, and says where a line stops being JSON', async () => {
    const broken = '{"username":"fail.漢","phone":"1",}';
    const path = bench.write(
      'failed.jsonl',
      `{"username":"fail.line","role_id":9223372036854775807,"store_codes":["S001"]}\n${broken}\n["x"]\n`,
    );
    const out = join(bench.folder, 'failed.out');
    assert.partialDeepStrictEqual(await importFile(path, ['--result', out]), { rows: 3, failed: 3 });
    const told = readFileSync(out, 'utf8');
    assert.match(told, /^2,,failed,,column 34: the line is not valid JSON from here on$/m);
    assert.match(told, /^3,,failed,,the line is not a JSON object$/m);
    const lines = readFileSync(`${out}.failed.jsonl`, 'utf8');
    const [first] = lines.split('\n');
    assert.equal(
      first,
      '{"import_problem":"1201 no role has id 9223372036854775807","username":"fail.line","role_id":9223372036854775807,"store_codes":["S001"]}',
    );
    assert.equal(lines, `${first}\n${broken}\n["x"]\n`);
    const corrected = lines
      .replace(/"role_id":\d+,/, '')
      .replace(',}', '}')
      .replace('["x"]\n', '');
    const totals = await importFile(bench.write('failed-again.jsonl', corrected));
    assert.partialDeepStrictEqual(totals, { created: 2, failed: 0 });
  });

  test('splits a file into requests within every limit, and reports its rows in order', async (t) => {
    const names = Array.from({ length: 57 }, (_, index) => `split.${index}`);
    const path = bench.write('split.csv', `username\n${names.join('\n')}\n`);
    const proxy = await UnreliableProxy.start(Number(new URL(bench.tenant('main').env.FIELDROSTER_URL).port));
    t.after(() => proxy.close());
    const result = join(bench.folder, 'split.out');
    const flags = ['--batch-size', '5', '--parallel', '8', '--result', result, '--url', proxy.url];
    assert.partialDeepStrictEqual(await importFile(path, flags), { created: 57 });
    const sizes = proxy.seen
      .filter(({ method, target }) => method === 'POST' && target === '/users/batch')
      .map(({ body }) => JSON.parse(body).users.length);
    assert.deepEqual(
      sizes.toSorted((a, b) => a - b),
      [2, ...Array.from({ length: 11 }, () => 5)],
    );
    assert.deepEqual(
      readResults(result).map(([, username]) => username),
      names,
    );
  });

  test('reads a workbook, and reports numbers that the spreadsheet has changed', async () => {
    const path = bench.write('book.xlsx', workbook());
    assert.partialDeepStrictEqual(await importFile(path), { rows: 4, created: 2, failed: 2 });
    assert.equal((await show('book.a')).phone, '13800138000');
    assert.deepEqual((await show('1001')).stores, ['S001', 'S002']);
    const told = readFileSync(`${path}.result.csv`, 'utf8');
    assert.match(told, /5,book\.c,failed,,"phone is a number that the spreadsheet has rounded/);
    assert.match(told, /6,book\.d,failed,,"phone is a date; a spreadsheet may have converted the value/);
  });

  test('reports cells without a usable value, and writes what fails again until it is corrected', async () => {
    const rows = [
      text('username') + text('name') + text('phone'),
      `${text('fault.a')}<c t="e"><v>#REF!</v></c><c s="0"><f>A1</f></c>`,
      text('fault.b') + text('B'),
      `${text('fault.c')}<c><v>12345678901234600</v></c>`,
      `${text('fault.d')}<c t="b"><v>1</v></c><c><v>7</v></c>`,
      `${text('fault.e')}<c s="1"><v>45000</v></c>`,
    ].map((cells, index) => [index + 1, cells] as const);
    const path = bench.write('faults.xlsx', workbookOf(rows));
    assert.partialDeepStrictEqual(await importFile(path), { rows: 5, created: 1, failed: 4 });
    const failed = readFileSync(`${path}.failed.csv`, 'utf8');
    assert.match(
      failed,
      /^"\(1\) real_name is the error #REF!;.*; \(2\) phone is the formula =A1, .*",fault\.a,#N\/A,#N\/A$/m,
    );
    assert.match(failed, /,fault\.d,#N\/A,7$/m);
    const again = bench.write('faults-again.csv', failed);
    assert.partialDeepStrictEqual(await importFile(again), { rows: 4, created: 0, failed: 4 });
  });

  test('reads lines of JSON, in which an empty string clears a field and a large id keeps its digits', async () => {
    const path = bench.write(
      'lines.jsonl',
      `{"username":"json.a","phone":"1","store_codes":["S001"]}\n\n{"username":"json.b","role_id":9223372036854775807}\nnot JSON with a "password":"hush-hush"\n{"username":"json.c","phone":5}\n`,
    );
    assert.partialDeepStrictEqual(await importFile(path), { rows: 4, created: 1, failed: 3 });
    const told = readFileSync(`${path}.result.csv`, 'utf8');
    assert.match(told, /3,json\.b,failed,1201,no role has id 9223372036854775807/);
    assert.match(told, /4,,failed,,column 1: the line is not valid JSON from here on\n/);
    assert.match(told, /5,json\.c,failed,,"phone must be a string, not a number"/);
    const clearing = '{"username":"json.a","phone":"","store_codes":null}\n';
    assert.partialDeepStrictEqual(await importFile(bench.write('c.jsonl', clearing)), { updated: 1 });
    const { phone, stores } = await show('json.a');
    assert.deepEqual([phone, stores], ['', ['S001']]);
  });

  test('sends no part of a file that is broken at its end, and quotes none of it', async () => {
    const path = bench.write('broken.csv', 'username,password\na,x\nb,"hush-hush\nc,d');
    const { exitCode, stdout, stderr } = await run(['import', path]);
    assert.deepEqual([exitCode, stdout], [1, '']);
    assert.equal(stderr, `fieldroster: ${path}: line 3: a quote is opened here and never closed\n`);
    await assert.rejects(show('a'), { code: 1101 });
    assert(!existsSync(`${path}.result.csv`));
  });

  test('reads the requested encoding and delimiter, or detects the delimiter', async () => {
    const path = bench.write('latin.csv', Buffer.from('username;real_name\nzoe;Zo\xeb, Anna\n', 'latin1'));
    assert.partialDeepStrictEqual(await importFile(path, ['--encoding', 'latin1']), { created: 1 });
    assert.equal((await show('zoe')).real_name, 'Zoë, Anna');
  });

  test('leaves out unknown columns on request, one by one or all', async () => {
    const path = bench.write('wages.csv', 'username,Wages,Kennung\nwage,1,2\n');
    assert.partialDeepStrictEqual(await importFile(path, ['--map', 'Wages=', '--map', 'Kennung=phone']), {
      created: 1,
    });
    assert.equal((await show('wage')).phone, '2');
    assert.partialDeepStrictEqual(await importFile(path, ['--ignore-unknown', '--restart']), {
      unchanged: 1,
    });
  });

  test('shows no password in its output and its result file', async () => {
    const path = bench.write(
      'secrets.csv',
      `username,password,phone\npw.a,hush-hush-1,1\npw.b,${'hush-hush-2'.repeat(30)},1\npw.c,hush-hush-3\n`,
    );
    const { stdout, stderr } = await run(['import', path], 'secrets');
    const trial = await run(['import', path, '--dry-run'], 'secrets');
    const result = readFileSync(`${path}.result.csv`, 'utf8');
    assert.match(result, /pw\.b,failed,,"password must be at most 200 characters/);
    for (const text of [stdout, stderr, trial.stdout, trial.stderr, result])
      assert.doesNotMatch(text, /hush/);
    const { client } = bench.tenant('secrets');
    await client.checkPassword({ username: 'pw.a', password: 'hush-hush-1' });
  });

  test('refuses the state of another file', async () => {
    const path = bench.write('state.csv', 'username\nstate.a\n');
    bench.write('state.csv.result.csv.state', '{"source":"of another file","rowsDone":7}\n');
    const refused = await run(['import', path]);
    assert.equal(refused.exitCode, 2);
    assert.match(refused.stderr, /belongs to an interrupted import of another file.*--restart/);
    assert.partialDeepStrictEqual(await importFile(path, ['--restart']), { created: 1 });
  });

  test('reports at once a server that does not answer, and an application that may not write', async () => {
    const path = bench.write('away.csv', 'username\naway\n');
    const away = await run(['import', path, '--url', 'http://127.0.0.1:1']);
    assert.equal(away.exitCode, 1);
    assert.match(away.stderr, /^fieldroster: http:\/\/127\.0\.0\.1:1: /);
    const foreign = await run(['import', path, '--app-secret', 'another secret']);
    assert.equal(foreign.exitCode, 1);
    assert.match(
      foreign.stderr,
      /^fieldroster: the server answered 1014: the APPSECRET is not that of fr\w+; correct --app-secret, .* ask the operator/,
    );
    const unknown = await run(['import', path, '--app-id', 'fr0123456789abcdef01']);
    assert.match(
      unknown.stderr,
      /answered 1013: .*; correct --app-id, .*; the operator can list the valid APPIDs\n$/,
    );
    assert(!existsSync(`${path}.result.csv`));
  });
});

test('a refusal after every retry, and the answer of a proxy itself, are reported with what a person can do', async (t) => {
  const { env } = bench.tenant('main');
  const proxy = await UnreliableProxy.start(Number(new URL(env.FIELDROSTER_URL).port));
  t.after(() => proxy.close());
  const envelope = (code: number, message: string) => ({
    status: code === 1012 ? 200 : code - 1000,
    headers: { 'Retry-After': '1000' },
    body: JSON.stringify({ code, message, data: null }),
  });
  const later = { 'Retry-After': '1000' };
  for (const [given, message] of [
    [
      envelope(1012, 'too old'),
      /answered 1012: too old; run the command again; if that is refused too, compare the clock of this /,
    ],
    [
      envelope(1429, 'slowly'),
      /answered 1429: slowly; run the command again later, or ask the operator for a /,
    ],
    [
      envelope(1503, 'busy'),
      /answered 1503: busy; .* run it again in a few minutes, and tell the operator if /,
    ],
    [
      { status: 502, headers: later },
      /HTTP status 502, .*; a proxy cannot reach the server; check that the /,
    ],
    [{ status: 413 }, /HTTP status 413, .*; let the proxy accept larger bodies, or send less at once\n$/],
    [
      { status: 308, headers: { Location: 'https://there.example/users?limit=1' } },
      /redirect to https:\/\/there\.example\/users; give the client the URL that it leads to; --url or FIELDROSTER_URL/,
    ],
  ] as const) {
    proxy.treat = () => given;
    const words = ['user', 'list', '--url', proxy.url];
    const { exitCode, stdout, stderr } = await runCommand(words, { env });
    assert.deepEqual([exitCode, stdout], [1, '']);
    assert.match(stderr, message);
  }
});

describe('user export', () => {
  test('writes a file from which an import elsewhere recreates the same users, as CSV and as JSON', async () => {
    const users = [
      { username: 'trip.a', real_name: 'A "quoted", name\nof two lines', phone: ' 1 ', department: '销售' },
      { username: 'trip.b', role_id: 7n, org_id: 2n, store_codes: ['S001', 'S002', 'S299'] },
      { username: '=trip.c', real_name: "'; drop", store_codes: [] },
      { username: "'=trip.d", real_name: '\r=1', phone: '-1+cmd|x', department: "''@x", store_codes: [] },
      { username: '@trip.e', real_name: '\t', phone: '+49 (30) 12-3.4', department: '-', store_codes: [] },
    ];
    const more = Array.from({ length: 700 }, (_, index) => ({
      username: `many.${index}`,
      store_codes: ['S003'],
    }));
    await bench.tenant('lists').client.batchUsers({ users: [...users, ...more] });
    for (const name of ['trip.csv', 'trip.jsonl']) {
      const path = join(bench.folder, name);
      const { exitCode, stdout } = await run(['export', path], 'lists');
      assert.deepEqual([exitCode, stdout], [0, `exported 705 users to ${path}\n`]);
      assert(!readdirSync(bench.folder).some((file) => file.endsWith('.new')));
      const first = name === 'trip.csv';
      assert.partialDeepStrictEqual(
        await importFile(path, [], 'copy'),
        first ? { created: 705 } : { unchanged: 705 },
      );
      assert.deepEqual(bench.readUsers('copy'), bench.readUsers('lists'));
    }
  });

  test('names the file whose folder does not exist', async () => {
    const path = join(bench.folder, 'nowhere', 'out.csv');
    assert.deepEqual(await run(['export', path], 'lists'), {
      exitCode: 2,
      stdout: '',
      stderr: `fieldroster: ${path} cannot be written: its folder does not exist; create it, or name another file\n`,
    });
  });

  test('replaces a file only on request', async () => {
    const path = bench.write('kept.csv', 'by hand\n');
    const refused = await run(['export', path, '--search', 'trip.b'], 'lists');
    assert.deepEqual(refused, {
      exitCode: 2,
      stdout: '',
      stderr: `fieldroster: ${path} already exists; replace it with --overwrite, or name another file\n`,
    });
    assert.equal(readFileSync(path, 'utf8'), 'by hand\n');
    const replaced = await run(['export', path, '--overwrite', '--search', 'trip.b'], 'lists');
    assert.equal(replaced.stdout, `exported 1 user to ${path}\n`);
    assert.match(readFileSync(path, 'utf8'), /trip\.b/);
  });

  test('refuses an empty file name, a file name that contradicts --format, and a column named twice', async () => {
    const refused: readonly (readonly [words: readonly string[], stderr: RegExp])[] = [
      [[''], /the argument \[file\] is empty; give it a value or leave it out \(/],
      [[bench.folder], /it is a folder; name a file in it, or leave it out and redirect the output$/m],
      [
        ['x.jsonl', '--format', 'csv'],
        /x\.jsonl ends in \.jsonl, and --format is csv; an import takes the format from the file name/,
      ],
      [['x.csv', '--columns', 'id,username, id'], /It names id twice; name each column once\.$/m],
    ];
    for (const [words, stderr] of refused) {
      const result = await run(['export', ...words], 'lists');
      assert.deepEqual([result.exitCode, result.stdout], [2, ''], result.stderr);
      assert.match(result.stderr, stderr);
    }
    for (const name of ['x.jsonl', 'x.csv']) assert(!existsSync(name));
  });

  test('writes the requested columns and users to standard output', async () => {
    const words = ['export', '--columns', 'id,username,status', '--search', 'trip.b', '--format', 'jsonl'];
    const { stdout } = await run(words, 'lists');
    assert.match(stdout, /^\{"id":\d+,"username":"trip\.b","status":"active"\}\n$/);
    const csv = await run(
      ['export', '--columns', 'username,store_codes', '--search', 'trip.b', '--bom'],
      'lists',
    );
    assert.equal(csv.stdout, '\ufeffusername,store_codes\ntrip.b,"S001;S002;S299"\n');
  });

  test('refuses to write store codes that could not be separated again', async () => {
    const { client } = bench.tenant('main');
    await client.createStore({ code: 'A;B', name: 'Two' });
    await client.batchUsers({ users: [{ username: 'semicolon', store_codes: ['A;B', 'S001'] }] });
    const path = join(bench.folder, 'semicolon.csv');
    const refused = await run(['export', path, '--search', 'semicolon']);
    assert.equal(refused.exitCode, 1);
    assert.match(refused.stderr, /'A;B' of semicolon has the separator ';' in it; choose another/);
    assert(!existsSync(path));
    assert.equal(
      (await run(['export', path, '--search', 'semicolon', '--store-separator', '|'])).exitCode,
      0,
    );
    assert.partialDeepStrictEqual(await importFile(path, ['--store-separator', '|']), { unchanged: 1 });
  });
});

describe('the commands on users', () => {
  test('list the users that match the filters, as a table and as JSON', async () => {
    const table = await run(
      ['list', '--role', '7', '--org', '1', '--include-children', '--store', 'S001'],
      'lists',
    );
    assert.match(
      table.stdout,
      /^ID +USERNAME +NAME .*STATUS\n\d+ +trip\.b +Representative +North +active\n$/,
    );
    const { stdout } = await run(['list', '--search', 'many.', '--max', '501', '--json'], 'lists');
    const users = JSON.parse(stdout) as { username: string }[];
    assert.equal(users.length, 501);
    const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
    const none = await run(['list', '--updated-since', inAnHour, '--json'], 'lists');
    assert.equal(none.stdout, '[]\n');
    const never = await run(['list', '--updated-since', '2999-01-01', '--json'], 'lists');
    assert.deepEqual([never.exitCode, never.stdout], [1, '']);
    assert.match(
      never.stderr,
      /updated_since is 32472144000000, more than a day ahead of the server's clock/,
    );
  });

  test('bind, unbind, disable, enable and delete a user, and show it', async () => {
    await importFile(bench.write('one.csv', 'username,stores\none,S001\n'));
    const bound = await run([
      'bind',
      'one',
      '--role',
      '8',
      '--org',
      '2',
      '--store',
      'S002',
      '--store',
      'S003',
    ]);
    assert.equal(
      bound.stdout,
      'one is bound to role 8\none is bound to org 2\none is bound to store S002\none is bound to store S003\n',
    );
    const shown = await run(['show', 'one', '--json']);
    const { id, roles, stores, status } = JSON.parse(shown.stdout);
    const codes = stores.map(({ code }: { code: string }) => code);
    assert.deepEqual([roles[0].id, codes, status], [8, ['S001', 'S002', 'S003'], 'active']);
    const unbound = await run(['unbind', '--id', String(id), '--store', 'S001', '--json']);
    assert.equal(unbound.stdout, `{"user_id":${id},"username":"one","store_code":"S001"}\n`);
    const again = await run(['unbind', 'one', '--store', 'S001']);
    assert.equal(again.exitCode, 1);
    assert.match(again.stderr, /the server answered 1402/);
    assert.equal((await run(['disable', 'one'])).stdout, `one (id ${id}) is disabled\n`);
    assert.match((await run(['show', 'one'])).stdout, /^status +disabled$/m);
    assert.equal((await run(['enable', 'one'])).stdout, `one (id ${id}) is active\n`);
    assert.equal((await run(['delete', 'one', '--json'])).exitCode, 0);
    assert.match((await run(['show', 'one'])).stderr, /1101/);
  });

  test('show a user whose name is part of half the directory, without reading all of it', async () => {
    const { client } = bench.tenant('lists');
    const crowd = Array.from({ length: 2600 }, (_, index) => ({ username: `crowd.${index}` }));
    await client.batchUsers({ users: crowd });
    await client.batchUsers({ users: [{ username: 'w' }, { username: 'd', phone: '+49 30 1234567' }] });
    const plain = await run(['show', 'w'], 'lists');
    assert.equal(plain.exitCode, 0);
    assert.match(plain.stdout, /^username +w$/m);
    assert.doesNotMatch(plain.stdout, /^status/m);
    assert.match(plain.stderr, /^fieldroster: the status of w is not shown: too many users [^\n]+\n$/);
    const told = await run(['show', 'd'], 'lists');
    assert.match(told.stdout, /^status +active$/m);
    assert.equal(told.stderr, '');
  });

  test('say what is missing on the command line', async () => {
    for (const [words, message] of [
      [['show'], /no user given/],
      [['bind', 'one'], /nothing to do: give --role, --org or --store/],
      [
        ['import', 'nowhere.csv'],
        /FILE is nowhere\.csv, which does not exist; put it there or correct the path/,
      ],
      [['import', '.'], /^fieldroster: FILE is \., which is a folder; name the file in it/],
      [['import', bench.write('a.ods', ''), '--json'], /a\.ods must end in \.csv, \.jsonl or \.xlsx/],
      [['import', 'x.csv', '--map', 'a=b'], /there is no field 'b'; the fields are username, /],
      [['import', 'x.csv', '--batch-size', '10001'], /whole number from 1 to 10000/],
      [['import', 'x.csv', '--encoding', 'klingon'], /name of an encoding/],
      [
        ['list', '--updated-since', 'yesterday'],
        /It must be a day, .*, or a time with its zone: 2026-01-31, /,
      ],
      [['list', '--search', ' '], /'--search <text>' argument ' ' is invalid\. It must not be empty; leave/],
      [['export', '--store', ''], /'--store <code>' argument '' is invalid\. It must not be empty; leave/],
      [
        ['export', '--department', ''],
        /'--department <text>' argument '' is invalid\. It must not be empty; /,
      ],
      [['list', '--include-children'], /--include-children needs --org; add it/],
      [
        ['delete', 'one', '--url', ''],
        /It must not be empty; leave the flag out to take it from the environment/,
      ],
      [['list', '--app-id', ''], /It must not be empty; leave the flag out to take it from the environment/],
      [
        ['list', '--app-secret', ''],
        /It must not be empty; leave the flag out to take it from the environment/,
      ],
      [['export', '--columns', 'wages'], /There is no column 'wages'/],
    ] as const) {
      const { exitCode, stderr } = await run(words);
      assert.match(stderr, message);
      assert.equal(exitCode, 2, words.join(' '));
    }
  });
});
