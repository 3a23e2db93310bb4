import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { describeOnEachEngine, type Provision } from './each-engine.ts';
import { runFieldroster, spawnFieldroster } from './fieldroster-command.ts';
import { type Provisioned, provisionDirectory } from './provision-directory.ts';
import { ServerProcess } from './server-process.ts';
import { type Answer, type Credentials, SignedClient } from './signed-client.ts';

const idOf = ({ headers }: Answer) => String(headers['x-request-id']);

/** Asks until the server has written the call, which it does within ten seconds. */
async function why(directory: Provisioned, requestId: string, ...more: string[]) {
  const endMs = performance.now() + 60_000;
  for (;;) {
    const result = await runFieldroster('why', requestId, ...directory.flags, ...more);
    if (result.exitCode === 0 || performance.now() > endMs) return result;
    // The command would otherwise start dozens of times.
    await delay(1_000);
  }
}

async function withServer(
  provision: Provision,
  flags: readonly string[],
  work: (server: ServerProcess, directory: Provisioned) => Promise<void>,
): Promise<void> {
  const directory = await provision(20);
  const server = await ServerProcess.start(directory, ...flags);
  try {
    await work(server, directory);
  } finally {
    await server.kill();
    await directory.remove();
  }
}

describeOnEachEngine((provision) => {
  test('calls, why and who report what a server was asked', async (t) => {
    await withServer(provision, [], async (server, directory) => {
      const client = new SignedClient(server.url, directory.credentials);
      const created = await client.exchange(client.sign('POST', '/user/stores', { username: 'mara' }));
      for (let count = 0; count < 3; count += 1) await client.call('GET', '/user?username=nobody');
      await client.call('POST', '/user/stores', {
        username: 'mara',
        ext_info: 'M',
        store_codes: ['S000007'],
      });
      const call = client.sign('GET', '/user?username=mara');
      const wrong = await client.exchange({ ...call, target: '/user?username=someone' });
      client.close();
      await t.test('why prints the cause of a wrong signature', () =>
        explainWrongSignature(directory, wrong),
      );
      await t.test('calls --follow shows failed calls', () => followFailures(directory, wrong));
      assert.equal(await server.stop(), 0);
      await t.test('calls counts every call of a server that stopped', () => countCalls(directory));
      await t.test('who names the request that changed a user', () => trackChanges(directory, created));
    });
  });
});

async function explainWrongSignature(directory: Provisioned, answer: Answer): Promise<void> {
  assert.equal(answer.envelope.code, 1014);
  const { stdout, stderr } = await why(directory, idOf(answer));
  assert.equal(stderr, '');
  assert.match(stdout, new RegExp(`^request {7}${idOf(answer)}$`, 'm'));
  assert.match(stdout, /^call {10}GET \/user\?username=someone \(query-user\)$/m);
  assert.match(stdout, /^code {10}1014, the signature does not match$/m);
  assert.match(stdout, /^likely cause {2}\S/m);
  assert.match(stdout, /^ {2}CanonicalizedResource {2}\/user\?username=someone$/m);
  assert.match(stdout, /^what to do\n {2}- Send the caller the lines above/m);
  const json = JSON.parse((await why(directory, idOf(answer), '--json')).stdout);
  assert.equal(json.strings_to_sign[0].split('\n').at(-1), '/user?username=someone');
}

async function followFailures(directory: Provisioned, answer: Answer): Promise<void> {
  const child = spawnFieldroster(['calls', '--follow', '--json', ...directory.flags]);
  assert(child.stdout !== null);
  let text = '';
  for await (const part of child.stdout.setEncoding('utf8')) {
    text += part;
    if (text.includes(idOf(answer))) break;
  }
  child.kill('SIGINT');
  const calls = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    calls.map(({ code }) => code),
    [1101, 1101, 1101, 1014],
  );
}

type Row = Record<string, unknown>;

async function readJson<Printed = Row[]>(directory: Provisioned, ...words: string[]): Promise<Printed> {
  const { stdout } = await runFieldroster(...words, ...directory.flags, '--json');
  return JSON.parse(stdout);
}

interface Trail {
  readonly events: Row[];
  readonly looked_after_by?: { readonly usernames: string[]; readonly has_more: boolean };
}

async function countCalls(directory: Provisioned): Promise<void> {
  const { appId } = directory.credentials;
  const rows = await readJson(directory, 'calls');
  assert.deepEqual(
    rows.map(({ app_id, operation, code, calls }) => [app_id, operation, code, calls]),
    [
      [appId, 'query-user', 1101, 3],
      [appId, 'batch-update-user-stores', 0, 2],
      [appId, 'query-user', 1014, 1],
    ],
  );
  const failed = await readJson(directory, 'calls', '--failed');
  assert.deepEqual(
    failed.map(({ code }) => code),
    [1101, 1014],
  );
  const table = (await runFieldroster('calls', ...directory.flags)).stdout;
  assert.match(table, /^APPLICATION +OPERATION +CODE +CALLS +MEAN MS +P99 MS +FIRST +LAST$/m);
}

async function trackChanges(directory: Provisioned, created: Answer): Promise<void> {
  const { events } = await readJson<Trail>(directory, 'who', '--user', 'mara');
  assert.equal(events.at(-1)?.request_id, idOf(created));
  assert.deepEqual(events[0]?.changes, {
    ext_info: { from: '', to: 'M' },
    stores: { added: ['S000007'] },
  });
  const trail = await readJson<Trail>(directory, 'who', '--store', 'S000007');
  const [ofStore, ...more] = trail.events;
  assert.equal(ofStore?.app_id, directory.credentials.appId);
  assert.equal(ofStore?.app_name, 'e2e');
  assert.deepEqual(more, []);
  assert.deepEqual(trail.looked_after_by, { usernames: ['mara'], has_more: false });
  const table = await runFieldroster('who', '--user', 'mara', ...directory.flags);
  assert.match(table.stdout, /ext_info: "" -> "M"; stores: \+S000007$/m);
  assert.ok(
    table.stdout.includes(` ${directory.credentials.appId} (e2e) `),
    'the application by its name, too',
  );
}

test('several worker processes count into one bookkeeping file', async () => {
  await withServer(provisionDirectory, ['--workers', '2'], async (server, directory) => {
    const strangers: Credentials = { appId: 'nobody', appSecret: 'x' };
    for (const credentials of [directory.credentials, strangers]) {
      // Each connection may reach another worker.
      for (let count = 0; count < 10; count += 1) {
        const client = new SignedClient(server.url, credentials);
        await Promise.all(Array.from({ length: 4 }, () => client.call('GET', '/user?username=nobody')));
        client.close();
      }
    }
    assert.equal(await server.stop(), 0);
    const { stdout } = await runFieldroster('calls', '--json', ...directory.flags);
    const rows = JSON.parse(stdout) as { app_id: string; calls: number }[];
    assert.deepEqual(
      new Map(rows.map(({ app_id, calls }) => [app_id, calls])),
      new Map([
        [directory.credentials.appId, 40],
        ['', 40],
      ]),
    );
  });
});

test('a killed server loses no failed call older than a few seconds, and why says when it has no record', async () => {
  await withServer(provisionDirectory, [], async (server, directory) => {
    const client = new SignedClient(server.url, directory.credentials);
    const failed = await client.exchange(client.sign('GET', '/user?username=nobody'));
    const good = await client.exchange(client.sign('POST', '/user/stores', { username: 'mara' }));
    client.close();
    await why(directory, idOf(failed));
    await server.kill();
    assert.equal((await why(directory, idOf(failed))).exitCode, 0);
    const unknown = await runFieldroster('why', idOf(good), ...directory.flags);
    assert.equal(unknown.exitCode, 1);
    assert.match(unknown.stdout, /^ {2}- the call succeeded: only failed calls are kept$/m);
    const reasons = unknown.stdout.trimEnd().split('\n').slice(1);
    assert.match(reasons.at(-1) ?? '', /succeeded/, 'the least likely reason for a question');
    assert.match(unknown.stdout, /^ {2}- the call was answered with 1503 because the server was too busy/m);
    const wrong = await runFieldroster('why', 'nonsense', ...directory.flags, '--json');
    assert.equal(wrong.exitCode, 1);
    const [shape, ofCaller] = JSON.parse(wrong.stdout).possible_reasons;
    assert.match(shape, /it is not a request id of this server/);
    assert.match(ofCaller, /search the log for it/);
  });
});

test('why says that only the log has calls of the console and bytes that are no HTTP', async () => {
  await withServer(provisionDirectory, [], async (server, directory) => {
    const ofConsole = await fetch(`${server.url}/console/api/session`);
    assert.notEqual(((await ofConsole.json()) as { code: number }).code, 0);
    const ids = [ofConsole.headers.get('x-request-id') ?? '', await idOfNoHttp(server.port)];
    assert.equal(await server.stop(), 0);
    for (const [index, expected] of [
      /one of the console: only the log/,
      /as an HTTP request: only the log/,
    ].entries()) {
      const id = ids[index] ?? '';
      assert.ok(server.output.includes(id), `the log has ${id}`);
      await requireReason(directory, id, expected);
    }
  });
});

test('why says that a server with --calls-keep 0 records nothing', async () => {
  await withServer(provisionDirectory, ['--calls-keep', '0'], async (server, directory) => {
    const client = new SignedClient(server.url, directory.credentials);
    const failed = await client.exchange(client.sign('GET', '/user?username=nobody'));
    client.close();
    assert.equal(await server.stop(), 0);
    await requireReason(directory, idOf(failed), /because of --calls-keep 0/);
  });
});

async function requireReason(directory: Provisioned, id: string, expected: RegExp): Promise<void> {
  const { exitCode, stdout } = await runFieldroster('why', id, '--json', ...directory.flags);
  assert.equal(exitCode, 1, stdout);
  const { possible_reasons: reasons } = JSON.parse(stdout) as { possible_reasons: string[] };
  assert.ok(
    reasons.some((reason) => expected.test(reason)),
    stdout,
  );
}

/** Returns the id that the server gave to bytes that are no request. */
async function idOfNoHttp(port: number): Promise<string> {
  const socket = connect(port, '127.0.0.1').end('NONSENSE\r\n\r\n');
  const answer = await text(socket);
  const [, id = ''] = /^x-request-id: (\S+)\r$/im.exec(answer) ?? [];
  assert.notEqual(id, '', answer);
  return id;
}
