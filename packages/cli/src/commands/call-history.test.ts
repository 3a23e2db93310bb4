import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { cutShortSearch, withheldDigest } from '@fieldroster/contract/problems';
import { addSampleUsers, openDirectory } from '@fieldroster/server/admin';
import { collect, runCommand, startCommand, temporaryFolder } from '../../test/run-command.ts';

const data = temporaryFolder();
const run = (...words: string[]) => runCommand([...words, '--data', data]);

test('without a database, each command says where it looked', async () => {
  for (const words of [['calls'], ['why', '3f9c1d2e4b5a-2k'], ['who', '--user', 'mara']]) {
    const { exitCode, stderr } = await run(...words);
    assert.equal(exitCode, 1);
    assert.match(stderr, /there is no database in .*--data or FIELDROSTER_DATA/);
  }
});

test('calls of a new directory prints an empty table, and says why it is empty', async () => {
  await runCommand(['tenant', 'create', 'acme', '--data', data]);
  const { exitCode, stdout, stderr } = await run('calls');
  assert.equal(exitCode, 0);
  assert.match(
    stdout,
    /^APPLICATION {2}OPERATION {2}CODE.*\nno calls since \S+ are on record; calls of the last 70 seconds may be missing, because servers write their counts once a minute\n$/,
  );
  assert.equal(stderr, '');
  assert.match(
    (await run('calls', '--failed')).stdout,
    /\nno failed calls since .* may be missing, .*; failed calls show sooner with: fieldroster calls --follow\n$/,
  );
  const json = await run('calls', '--json');
  assert.equal(json.stdout, '[]\n');
  assert.match(json.stderr, /no calls since .* may be missing, /);
});

test('totals are printed as an aligned table, with unknown callers and operations marked as such', async () => {
  const { database } = await openDirectory({ data });
  const minuteMs = Math.floor(Date.now() / 60_000) * 60_000;
  const histogram = [90, 9, 0, 1, 0, 0, 0, 0];
  const row = { minuteMs, operation: 'query-user', code: 0, calls: 100, totalUs: 123_400, histogram };
  database.bookkeeping.calls.addSummaries([
    { ...row, appId: 'fr0123456789abcdef01' },
    { ...row, appId: '', operation: '', code: 1005, calls: 1, histogram: [0, 0, 0, 0, 0, 0, 0, 1] },
  ]);
  database.bookkeeping.calls.addFailures([], { minuteMs, calls: 12 });
  await database.close();
  const { stdout, stderr } = await run('calls');
  const minute = `${new Date(minuteMs).toISOString().slice(0, 16)}Z`;
  assert.deepEqual(stdout.split('\n'), [
    'APPLICATION           OPERATION   CODE  CALLS  MEAN MS  P99 MS  FIRST              LAST',
    `fr0123456789abcdef01  query-user  0     100    1.2      <=5     ${minute}  ${minute}`,
    `(unknown)             (none)      1005  1      123.4    >5000   ${minute}  ${minute}`,
    'calls of the last 70 seconds may be missing, because servers write their counts once a minute',
    '',
  ]);
  assert.match(stderr, /12 failed calls of this period are counted here, but not kept/);
  const [first] = JSON.parse((await run('calls', '--json')).stdout);
  assert.deepEqual(
    [first.mean_ms, first.p99_ms_max, first.histogram[0]],
    [1.234, 5, { ms_max: 1, calls: 90 }],
  );
});

test('calls are counted for one application, operation or code, with the first and the last minute of each', async () => {
  for (const appId of ['counted', 'uncounted'])
    assert.equal((await run('app', 'create', '--name', appId, '--app-id', appId)).exitCode, 0);
  const { database } = await openDirectory({ data });
  const nowMinuteMs = Math.floor(Date.now() / 60_000) * 60_000;
  const histogram = [1, 0, 0, 0, 0, 0, 0, 0];
  const row = { appId: 'counted', operation: 'query-user', code: 0, calls: 1, totalUs: 1, histogram };
  const agoMs = (minutes: number) => nowMinuteMs - minutes * 60_000;
  database.bookkeeping.calls.addSummaries([
    { ...row, minuteMs: agoMs(183) },
    { ...row, minuteMs: agoMs(62) },
    { ...row, minuteMs: agoMs(2), code: 1101 },
    { ...row, minuteMs: agoMs(2), operation: 'list-users', code: 1101 },
    { ...row, minuteMs: agoMs(1), appId: 'uncounted', code: 1101 },
  ]);
  await database.close();
  const counted = async (...words: string[]) => {
    const rows = JSON.parse((await run('calls', '--since', '6h', ...words, '--json')).stdout);
    return rows.map((each: Record<string, unknown>) => [each.app_id, each.operation, each.code]);
  };
  assert.deepEqual(await counted('--app', 'counted', '--operation', 'query-user'), [
    ['counted', 'query-user', 0],
    ['counted', 'query-user', 1101],
  ]);
  assert.deepEqual(await counted('--code', '1101', '--operation', 'query-user'), [
    ['counted', 'query-user', 1101],
    ['uncounted', 'query-user', 1101],
  ]);
  const times = async (since: string) => {
    const words = ['--since', since, '--app', 'counted', '--code', '0', '--json'];
    const [{ first_at: first, last_at: last }] = JSON.parse((await run('calls', ...words)).stdout);
    return [Date.parse(first), Date.parse(last)];
  };
  assert.deepEqual(await times('6h'), [agoMs(183), agoMs(62)]);
  const hourOf = (atMs: number) => Math.floor(atMs / 3_600_000) * 3_600_000;
  assert.deepEqual(await times('2d'), [hourOf(agoMs(183)), hourOf(agoMs(62))]);
  const nothing = await run('calls', '--app', 'counted', '--code', '1014');
  assert.match(nothing.stdout, /no such calls since/);
  const noneFailed = await run('calls', '--app', 'counted', '--code', '1014', '--failed');
  assert.match(noneFailed.stdout, /no such failed calls since/);
});

test('calls --follow refuses code 0, which no failed call has', async () => {
  const { exitCode, stderr } = await runCommand(['calls', '--follow', '--code', '0', '--data', data]);
  assert.equal(exitCode, 2);
  assert.match(stderr, /--follow shows failed calls only, and code 0 is no failure; leave out --follow/);
});

test('calls --follow shows the failed calls that match the filters alone', async (t) => {
  const { database } = await openDirectory({ data });
  const failure = { atMs: Date.now(), method: 'GET', target: '/user', durationUs: 1, verified: true };
  const rest = { ...failure, code: 1101, operation: 'query-user', message: 'no such user' };
  database.bookkeeping.calls.addFailures([
    { ...rest, appId: 'uncounted', requestId: 'of-another' },
    { ...rest, appId: 'counted', code: 1014, requestId: 'with-another-code' },
    { ...rest, appId: 'counted', requestId: 'of-this-one', atMs: failure.atMs + 1 },
  ]);
  await database.close();
  const following = startCommand(['calls', '--follow', '--app', 'counted', '--code', '1101', '--data', data]);
  t.after(() => following.kill());
  assert(following.stdout !== null);
  let text = '';
  for await (const part of following.stdout.setEncoding('utf8')) {
    text += part;
    if (text.includes('of-this-one')) break;
  }
  assert.match(text, /of-this-one/);
  assert.doesNotMatch(text, /another/);
});

test('a control character in a message does not reach the terminal', async () => {
  const { database } = await openDirectory({ data });
  const requestId = '3f9c1d2e4b5a-2k';
  const rest = { verified: false, code: 1005, durationUs: 1, method: 'GET', atMs: Date.now() };
  database.bookkeeping.calls.addFailures([
    { ...rest, requestId, message: 'a\u001b[31mb\u0007', target: '/\u0007' },
  ]);
  await database.close();
  const { stdout } = await run('why', requestId);
  assert.match(stdout, /^message {7}ab�$/m);
  assert.match(stdout, /^application {3}none was named$/m);
});

test('why names the application, blames a changed body too, and fits its advice into 80 columns', async () => {
  assert.equal((await run('app', 'create', '--name', 'HR sync', '--app-id', 'hr')).exitCode, 0);
  const { database } = await openDirectory({ data });
  const requestId = '3f9c1d2e4b5a-3k';
  const stringsToSign = ['POST\n(withheld)\n1769829129\nn1\n/user'];
  const call = { requestId, atMs: Date.now(), method: 'POST', target: '/user', durationUs: 1, appId: 'hr' };
  const failure = { verified: false, code: 1014, message: 'the signature does not match', stringsToSign };
  database.bookkeeping.calls.addFailures([{ ...call, ...failure }]);
  await database.close();
  const { stdout } = await run('why', requestId);
  assert.match(stdout, /^application {3}hr, HR sync \(as the request says; /m);
  assert.match(stdout, /^likely cause {2}none found; either the body was changed after it was signed, or /m);
  const steps = stdout.split('what to do\n')[1]?.split('\n') ?? [];
  assert(steps.length > 4 && steps.every((line) => line.length <= 80), stdout);
  assert.equal(JSON.parse((await run('why', requestId, '--json')).stdout).app_name, 'HR sync');
  for (const copied of [` ${requestId} `, `"${requestId}",`, requestId.toUpperCase()])
    assert.equal((await run('why', copied)).stdout, stdout, copied);
});

test('why says that the search for a mistake was cut short, and how to finish it', async () => {
  const { database } = await openDirectory({ data });
  const rest = {
    atMs: Date.now(),
    method: 'GET',
    target: '/users',
    durationUs: 1,
    verified: false,
    code: 1014,
  };
  const stringsToSign = ['GET\n1769829129\nn1\n/users'];
  const whys = { '3f9c1d2e4b5a-8k': 'others', '3f9c1d2e4b5a-9k': 'long' } as const;
  database.bookkeeping.calls.addFailures(
    Object.entries(whys).map(([requestId, why]) => ({
      ...rest,
      requestId,
      message: `the signature does not match; ${cutShortSearch[why]}`,
      stringsToSign,
    })),
  );
  await database.close();
  const [others = '', long = ''] = await Promise.all(
    Object.keys(whys).map(async (requestId) => (await run('why', requestId)).stdout),
  );
  assert.match(
    others,
    /^likely cause {2}unknown; the search for a known mistake was cut short, because other wrong signatures /m,
  );
  assert.match(others, /^what to do\n {2}- Let the caller send one such request alone, /m);
  assert.match(
    long,
    /^likely cause {2}unknown; the search for a known mistake took too long and was cut short$/m,
  );
  assert.match(long, /^what to do\n {2}- Give the request and its signature to `fieldroster explain`, /m);
  for (const text of [others, long]) assert.match(text, /^ {2}- Send the caller the lines above: /m);
});

test('why refers to the answer where the record lacks values, because no line with one ever equals what was signed', async () => {
  const { database } = await openDirectory({ data });
  const atMs = Date.now();
  const failure = { atMs, method: 'GET', durationUs: 1, verified: false, code: 1014, message: 'no match' };
  const strings = {
    '3f9c1d2e4b5a-5k': 'GET\n1769829129\nn1\n/users?limit=3&token=…',
    '3f9c1d2e4b5a-6k': `POST\n${withheldDigest}\n1769829129\nn1\n/user`,
    '3f9c1d2e4b5a-7k': 'GET\n1769829129\nn1\n/users?limit=3',
  };
  database.bookkeeping.calls.addFailures(
    Object.entries(strings).map(([requestId, string]) => ({
      ...failure,
      requestId,
      target: '/users',
      stringsToSign: [string],
    })),
  );
  await database.close();
  const [query, digest, whole] = await Promise.all(
    Object.keys(strings).map(async (requestId) => (await run('why', requestId)).stdout),
  );
  assert.match(
    query ?? '',
    /^likely cause {2}none found; if the string that the caller's answer has is what /m,
  );
  for (const lacking of [query, digest]) {
    const unwrapped = lacking?.replaceAll(/\s+/g, ' ') ?? '';
    assert.match(unwrapped, /The message of the caller's answer has the server's whole string to sign/);
    assert.doesNotMatch(unwrapped, /lines above/);
  }
  assert.match(whole ?? '', /^likely cause {2}none found; if the string below is what the caller signed, /m);
  assert.match(whole ?? '', /^ {2}- Send the caller the lines above: /m);
});

test('why and calls --follow say that an erasure has removed the texts of a call', async (t) => {
  const { database } = await openDirectory({ data });
  const requestId = '3f9c1d2e4b5a-4k';
  const call = { requestId, atMs: Date.now(), method: 'GET', target: '', durationUs: 1, verified: true };
  database.bookkeeping.calls.addFailures([{ ...call, operation: 'query-user', code: 1014, message: '' }]);
  await database.close();
  const { stdout } = await run('why', requestId);
  assert.match(stdout, /^call {10}GET \(query-user\)$/m);
  assert.match(
    stdout,
    /^message {7}\(removed by an erasure of a person\)\nwhat to do\n {2}- If calls still fail/m,
  );
  const { what_to_do } = JSON.parse((await run('why', requestId, '--json')).stdout);
  assert.match(what_to_do.join(), /^If calls still fail, repeat one [^,]*$/);
  const following = startCommand(['calls', '--follow', '--data', data]);
  t.after(() => following.kill());
  assert(following.stdout !== null);
  let text = '';
  for await (const part of following.stdout.setEncoding('utf8')) {
    text += part;
    if (text.includes(requestId)) break;
  }
  assert.match(text, /3f9c1d2e4b5a-4k {2}\(removed by an erasure of a person\)\n/);
});

test('calls --follow shows failed calls of now after one that a fast clock dated ahead', async (t) => {
  const { database } = await openDirectory({ data });
  const { calls } = database.bookkeeping;
  const failure = (requestId: string, atMs: number) => {
    const call = { requestId, atMs, method: 'GET', target: '/user', durationUs: 1, verified: true };
    return { ...call, operation: 'query-user', code: 1101, message: 'no such user' };
  };
  calls.addFailures([failure('of-a-fast-clock', Date.now() + 600_000)]);
  const following = startCommand(['calls', '--follow', '--data', data]);
  t.after(() => following.kill());
  t.after(() => database.close());
  assert(following.stdout !== null);
  let text = '';
  let isAnswered = false;
  for await (const part of following.stdout.setEncoding('utf8')) {
    text += part;
    if (text.includes('the-last')) break;
    if (isAnswered || !text.includes('of-a-fast-clock')) continue;
    isAnswered = true;
    calls.addFailures([failure('of-now', Date.now()), failure('the-last', Date.now() + 660_000)]);
  }
  assert.match(text, /of-now/);
});

test('wrong values are reported with what to give instead', async () => {
  const cases = [
    [['calls', '--since', 'noon'], 2, /--since .*'noon' is invalid. It must be 0 or a number with a unit/],
    [
      ['calls', '--since', '0'],
      2,
      /--since 0 leaves no calls to count; say how far to look back, as in 15m,/,
    ],
    [['calls', '--operation', 'qurey-user'], 2, /there is no such operation; the nearest name is query-user/],
    [['calls', '--code', '1041'], 2, /no call is answered with 1041; docs\/errors.md lists the codes/],
    [['calls', '--app', 'nowhere'], 1, /there is no application nowhere; fieldroster app list/],
    [['who'], 2, /give exactly one of --user, --user-id, --store, --app and --operator:/],
    [['who', '--user', 'a', '--store', 'b'], 2, /give exactly one of --user/],
    [['who', '--app', 'a', '--operator', 'b'], 2, /give exactly one of --user/],
    [['who', '--app', 'nowhere'], 1, /there is no application nowhere; fieldroster app list shows/],
    [['who', '--operator', 'nobody'], 1, /there is no operator/],
    [
      ['who', '--user', 'a', '--until', 'noon'],
      2,
      /'--until <time>' argument 'noon' is invalid\. It must be a day, which begins/,
    ],
    [
      ['who', '--user', 'nobody'],
      1,
      /tenant 'default' has no user "nobody"; check the spelling and --tenant/,
    ],
    [['who', '--user', 'a', '--tenant', 'x'], 1, /there is no tenant 'x'/],
    [['why'], 2, /missing required argument 'request-id'/],
  ] as const;
  for (const [words, code, message] of cases) {
    const { exitCode, stderr } = await run(...words);
    assert.match(stderr, message);
    assert.equal(exitCode, code, words.join(' '));
  }
});

test('who names the people who look after an unchanged store, and says that another store does not exist', async () => {
  const stores = join(temporaryFolder(), 'stores.csv');
  writeFileSync(stores, 'code,name\nN-001,North\n');
  await run('store', 'import', stores);
  const { stdout, stderr } = await run('who', '--store', 'N-001');
  assert.match(stdout, /^TIME {2}BY {2}OPERATION/);
  assert.match(stderr, /now looked after by: nobody/);
  assert.match(stderr, /the audit has no such change; a store that a CSV import changed/);
  const nobody = await run('who', '--user-id', '99');
  assert.match(nobody.stderr, /the audit has no such change; check the user, --tenant and --until/);
  for (const form of [[], ['--json']]) {
    const unknown = await run('who', '--store', 'NOPE', ...form);
    assert.deepEqual([unknown.exitCode, unknown.stdout], [1, '']);
    assert.match(unknown.stderr, /tenant 'default' has no store "NOPE"; check the spelling and --tenant/);
  }
});

test('who cuts long values and leaves out empty changes, and its JSON has them whole', async () => {
  const long = '界'.repeat(1_000);
  const { database } = await openDirectory({ data });
  const id = await database.write(1n, undefined, async (writer) => {
    const userId = (await writer.insertUser('long', {})) ?? 0n;
    const changes = {
      username: { to: 'long' },
      ext_info: { from: long, to: 'x'.repeat(80) },
      stores: { added: [] },
      notes: { kept: 'y'.repeat(100) },
    };
    return { result: userId, audit: { operation: 'create-user', userId, changes } };
  });
  await database.write(1n, undefined, async () => ({
    result: undefined,
    audit: { operation: 'set-stores', userId: id, changes: { stores: { added: [], removed: [] } } },
  }));
  const removed = ['N-1', 'N-2', 'N-3', 'N-4', 'N-5', 'N-6', 'N-7'];
  await database.write(1n, undefined, async () => ({
    result: undefined,
    audit: { operation: 'remove-stores', userId: id, changes: { stores: { added: [], removed } } },
  }));
  await database.close();
  const { stdout } = await run('who', '--user-id', String(id));
  const start = `ext_info: "${'界'.repeat(80)}"… (920 more characters) -> "${'x'.repeat(80)}"; notes: {"kept":"y`;
  assert.ok(stdout.includes(start), stdout);
  assert.match(stdout, /y… \(31 more characters\)$/m);
  assert.match(stdout, /set-stores .* nothing$/m);
  assert.match(stdout, /remove-stores .* stores: -N-1 -N-2 -N-3 -N-4 -N-5 \(2 more removed\)$/m);
  assert.doesNotMatch(stdout, /(?:set-stores|create-user).*stores:/);
  const { events } = JSON.parse((await run('who', '--user-id', String(id), '--json')).stdout);
  assert.equal(events.at(-1).changes.ext_info.from, long);
});

test('who --store shows that store among the many of a change', async () => {
  const stores = join(temporaryFolder(), 'stores.csv');
  writeFileSync(stores, 'code,name\nW-009,North\n');
  await run('store', 'import', stores);
  const codes = ['W-001', 'W-002', 'W-003', 'W-004', 'W-005', 'W-006', 'W-009'];
  const { database } = await openDirectory({ data });
  for (const changes of [
    { stores: { added: codes, removed: [] } },
    { stores: { added: [], removed: codes } },
  ])
    await database.write(1n, undefined, async () => ({
      result: undefined,
      audit: { operation: 'replace-stores', userId: 1n, changes },
    }));
  await database.close();
  const { stdout } = await run('who', '--store', 'W-009');
  assert.match(stdout, / stores: -W-009 -W-001 -W-002 -W-003 -W-004 \(2 more removed\)$/m);
  assert.match(stdout, / stores: \+W-009 \+W-001 \+W-002 \+W-003 \+W-004 \(2 more added\)$/m);
});

test('who --json names the people whom the text names, and says whether there are others', async () => {
  const people = async () => {
    const { looked_after_by, events } = JSON.parse((await run('who', '--store', 'N-001', '--json')).stdout);
    assert.deepEqual(events, []);
    return looked_after_by;
  };
  assert.deepEqual(await people(), { usernames: [], has_more: false });
  const usernames = Array.from({ length: 21 }, (_, index) => `rep.${10 + index}`);
  const users = usernames.map((username) => ({ username, storeCodes: ['N-001'], isDisabled: false }));
  const directory = await openDirectory({ data });
  await addSampleUsers(directory, { tenant: 'default', users });
  await directory.database.close();
  assert.deepEqual(await people(), { usernames: usernames.slice(0, 20), has_more: true });
  const { stderr } = await run('who', '--store', 'N-001');
  assert.match(stderr, /now looked after by: rep\.10, .*, rep\.29, and others\n/);
});

test('who --app shows the changes of an application in any tenant, newest first, and not its own calls', async () => {
  await run('app', 'create', '--name', 'Sync', '--app-id', 'sync', '--tenant', 'acme');
  await run('app', 'create', '--name', 'Other', '--app-id', 'sync2', '--tenant', 'acme');
  await run('app', 'update', 'sync', '--scope', 'read');
  assert.equal((await run('app', 'revoke', 'sync')).exitCode, 0);
  const { events } = JSON.parse((await run('who', '--app', 'sync', '--json')).stdout);
  assert.deepEqual(
    events.map(({ operation }: { operation: string }) => operation),
    ['app revoke', 'app update', 'app create'],
  );
  assert.deepEqual(events[1].changes.scope, { from: 'write', to: 'read' });
  assert.match((await run('who', '--app', 'sync')).stdout, /app update .* scope: "write" -> "read"$/m);
});

test('who --operator shows what an operator changed and what others changed about the operator, newest first', async () => {
  const { database } = await openDirectory({ data });
  const access = { role: 'owner', allTenants: true, tenantIds: [], passwordHash: 'x' } as const;
  const event = (operation: string, more = {}) => ({ operation, changes: {}, ...more });
  const [ann = 0n, bob = 0n] = await database.operators.write(undefined, async (operators) => ({
    result: [
      await operators.insert({ ...access, username: 'ann' }),
      await operators.insert({ ...access, username: 'bob' }),
    ],
  }));
  const record = (given: Parameters<typeof event>) =>
    database.operators.write(undefined, async () => ({ result: undefined, event: event(...given) }));
  await record(['invite-operator', { operatorId: ann }]);
  await record(['verify-backup', { operatorId: bob }]);
  const changes = { operator_id: String(ann), username: 'ann' };
  await record(['update-operator', { operatorId: bob, changes }]);
  await database.write(1n, undefined, async (writer) => ({
    result: await writer.insertUser('by-ann', {}),
    audit: { operation: 'create-user', actor: { kind: 'operator', id: String(ann) }, changes: {} },
  }));
  await database.close();
  assert.equal((await run('operator', 'disable', 'ann')).exitCode, 0);
  const { events } = JSON.parse((await run('who', '--operator', 'ann', '--json')).stdout);
  assert.deepEqual(
    events.map(({ operation }: { operation: string }) => operation),
    ['operator disable', 'create-user', 'update-operator', 'invite-operator'],
  );
  assert.deepEqual(
    events.slice(1).map(({ by }: { by: string }) => by),
    ['operator ann', 'operator bob', 'operator ann'],
  );
  const { events: newest, searched_back_to: backTo } = JSON.parse(
    (await run('who', '--operator', 'ann', '--limit', '2', '--json')).stdout,
  );
  assert.deepEqual([newest.length, backTo], [2, newest[1].at]);
});

test('who says how to go on without leaving out a change of the same millisecond', async () => {
  const { database } = await openDirectory({ data });
  const id = await database.write(1n, undefined, async (writer) => {
    const userId = await writer.insertUser('three.at.once', {});
    assert(userId !== undefined);
    const event = { operation: 'update-user', userId, changes: {} };
    return { result: userId, audit: event, more: [event, event] };
  });
  await database.close();
  const list = (...flags: string[]) => run('who', '--user-id', String(id), ...flags);
  const countWith = async (...flags: string[]) => (await list(...flags)).stdout.split('\n').length - 2;
  const first = await list('--limit', '1');
  const [, until = ''] = /for older changes, add --until (\S+), or raise --limit/.exec(first.stderr) ?? [];
  assert.equal(await countWith('--until', until), 3);
  const again = await list('--limit', '1', '--until', until);
  const at = new Date(Date.parse(until) - 1).toISOString();
  assert.match(
    again.stderr,
    new RegExp(
      `searched back to ${at}, which may have more changes; raise --limit, or leave them out with --until ${at}\n$`,
    ),
  );
  assert.equal((await list('--until', at)).stdout.match(/three\.at\.once|update-user/g), null);
});

test('who advises to raise --limit only where that would show more', async () => {
  const { database } = await openDirectory({ data });
  const texts = Array.from({ length: 30_000 }, () => 'x'.repeat(100));
  const write = (userId: bigint, changes: Record<string, unknown>, count: number) =>
    database.write(1n, undefined, async () => {
      const event = { operation: 'large', userId, changes };
      return { result: undefined, audit: event, more: Array.from({ length: count - 1 }, () => event) };
    });
  await write(4711n, { texts }, 12);
  await write(4712n, {}, 10_001);
  await database.close();
  const told = async (...flags: string[]) => (await run('who', ...flags)).stderr;
  const large = await told('--user-id', '4711');
  const [, until = ''] = /; for older changes, add --until (\S+)\n$/.exec(large) ?? [];
  const at = new Date(Date.parse(until) - 1).toISOString();
  assert.match(
    await told('--user-id', '4711', '--until', until),
    new RegExp(`searched back to ${at}, which may have more changes; leave them out with --until ${at}\n$`),
  );
  assert.match(
    await told('--user-id', '4712', '--limit', '10000'),
    /; for older changes, add --until \S+\n$/,
  );
});

test('calls --follow ends without an error once its reader has gone', async () => {
  const { database } = await openDirectory({ data });
  const failure = { atMs: Date.now(), method: 'GET', target: '/user', durationUs: 1, verified: true };
  const add = (requestId: string) =>
    database.bookkeeping.calls.addFailures([{ ...failure, requestId, code: 1101, message: 'no such user' }]);
  add('read');
  const following = startCommand(['calls', '--follow', '--json', '--data', data]);
  const ended = collect(following);
  assert(following.stdout !== null);
  await once(following.stdout, 'data');
  following.stdout.destroy();
  add('unread');
  const { exitCode, stderr } = await ended;
  await database.close();
  assert.deepEqual([exitCode, stderr], [0, '']);
});

test('why names the tools for what the server cannot see: its own clock on SQLite, and who holds a lock', async () => {
  const { database } = await openDirectory({ data });
  const call = {
    atMs: Date.now(),
    method: 'GET',
    target: '/user',
    durationUs: 1,
    verified: true,
    message: 'x',
  };
  database.bookkeeping.calls.addFailures([
    { ...call, requestId: '3f9c1d2e4b5a-6c', code: 1012 },
    { ...call, requestId: '3f9c1d2e4b5a-6d', code: 1503 },
  ]);
  await database.close();
  const steps = async (requestId: string) =>
    JSON.parse((await run('why', requestId, '--json')).stdout).what_to_do.join();
  assert.match(await steps('3f9c1d2e4b5a-6c'), /On SQLite nothing does: .*`chronyc tracking`/);
  assert.match(await steps('3f9c1d2e4b5a-6d'), /Run `fieldroster doctor` at once: .* names who holds it/);
});
