import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { signRequest } from '@fieldroster/signing';
import { reservePort } from '../test/reserve-port.ts';
import { issueApplication } from './admin/applications.ts';
import { openDirectory } from './admin/open-directory.ts';
import { readSettings } from './config.ts';
import { Logger } from './logging/logger.ts';
import { ListenError, startServer } from './main.ts';
import { traceRequest } from './tracing/trace.ts';

const data = mkdtempSync(join(tmpdir(), 'fieldroster-main-'));
after(() => rmSync(data, { recursive: true }));

const flags = { data, port: '0', logLevel: 'silent', basePath: '/api' };

test('a started server serves signed requests at its url, and after a stop nothing listens there', async () => {
  const port = String(await reservePort());
  const server = await startServer(readSettings({ ...flags, port }, {}), {});
  assert.match(server.url, /^http:\/\/127\.0\.0\.1:\d+\/api$/);
  const operator = await openDirectory({ data, environment: {} });
  const credentials = await issueApplication(operator, { name: 'n', tenant: 'default', scope: 'read' });
  await operator.database.close();
  const target = '/api/user?username=nobody';
  const url = new URL(target, server.url);
  const ask = async () => {
    const { headers } = signRequest({ ...credentials, method: 'GET', target });
    const response = await fetch(url, { headers });
    return ((await response.json()) as { code: number }).code;
  };
  // The server notices the new application without a restart.
  let code = await ask();
  while (code === 1013) {
    await delay(20);
    code = await ask();
  }
  assert.equal(code, 1101);
  await server.stop();
  await assert.rejects(fetch(url));
});

test('a port in use by another program ends the start with one line that says so', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as { port: number };
  await assert.rejects(
    // A start that failed has nobody to drain, so it does not wait until this test times out.
    startServer(readSettings({ ...flags, port: String(port), drainSeconds: '600' }, {}), {}),
    (error: unknown) =>
      error instanceof ListenError &&
      error.message ===
        `cannot listen on 127.0.0.1:${port}: another program listens there already; choose another port with --port or FIELDROSTER_PORT`,
  );
  other.close();
});

test('the error of a failed start is reported even if what had started cannot be ended', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as { port: number };
  const log = {
    logger: new Logger('silent', () => {}),
    announce: () => {},
    end: () => Promise.reject(new Error('the log cannot be ended')),
  };
  await assert.rejects(startServer(readSettings({ ...flags, port: String(port) }, {}), {}, { log }), {
    name: 'ListenError',
  });
  other.close();
});

/** Runs a script in its own process and returns the lines of its log. */
async function logOf(script: string, ...scriptArguments: string[]): Promise<Record<string, unknown>[]> {
  const conditions = process.execArgv.filter((argument) => argument.startsWith('--conditions'));
  const index = new URL('./index.ts', import.meta.url).href;
  const child = spawn(
    process.execPath,
    [...conditions, '--input-type=module', '-e', script, index, data, ...scriptArguments],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const lines = (await text(child.stdout)).split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

test('the log is JSON lines on standard output, complete when the server has stopped', async () => {
  const entries = await logOf(`
    const { readSettings, startServer } = await import(process.argv[1]);
    const server = await startServer(readSettings({ data: process.argv[2], port: '0' }, {}), {});
    await fetch(server.url + '/user');
    await server.stop();
  `);
  const [listening, request, stopped] = entries.slice(-3);
  assert.deepEqual([listening?.msg, request?.msg, stopped?.msg], ['listening', 'request', 'stopped']);
  assert.match(String(listening?.url), /^http:\/\/127/);
  assert.equal(request?.code, 1011);
});

test('a server that refuses signed requests, as after a restore, says which ones and until when at its start', async () => {
  const entries = await logOf(`
    const { readSettings, startServer } = await import(process.argv[1]);
    const { DatabaseSync } = await import('node:sqlite');
    // This test needs a folder of its own, because its server would refuse the signed writes of the other tests.
    const data = process.argv[2] + '/restored';
    const start = async (replay) => startServer(readSettings({ data, port: '0', replay }, {}), {});
    await (await start('write')).stop();
    const database = new DatabaseSync(data + '/fieldroster.db');
    const now = Math.floor(Date.now() / 1000);
    database.exec("update counter set value = " + (now + 3_660) + " where name = 'purged_through'");
    database.close();
    for (const replay of ['write', 'nonce', 'off']) await (await start(replay)).stop();
  `);
  const warnings = entries.filter(({ msg }) => / refused until /.test(String(msg)));
  assert.deepEqual(
    warnings.map(({ msg }) => String(msg).replace(/ are refused until .*/, '')),
    ['signed writes', 'signed reads and writes'],
  );
  const aheadMs = Date.parse(String(warnings[0]?.until)) - Date.now();
  assert.ok(aheadMs > 3_000_000 && aheadMs < 3_700_000, `${aheadMs} ms ahead`);
});

test('a server that other machines reach by plain HTTP warns, unless it knows its proxy', async () => {
  const warned = await Promise.all(
    [
      {},
      { host: 'localhost' },
      { host: '0.0.0.0' },
      { host: '0.0.0.0', trustProxy: '1' },
      { consoleListen: '0.0.0.0:0' },
    ].map(async (address, index) => {
      const settings = JSON.stringify({ ...address, data: join(data, `plain-${index}`), port: '0' });
      const entries = await logOf(
        `
        const { readSettings, startServer } = await import(process.argv[1]);
        const server = await startServer(readSettings(JSON.parse(process.argv[3]), {}), {});
        await server.stop();
      `,
        settings,
      );
      const warning = entries.find(({ msg }) =>
        /by plain HTTP; put a proxy that serves TLS/.test(String(msg)),
      );
      return warning?.hosts;
    }),
  );
  assert.deepEqual(warned, [undefined, undefined, ['0.0.0.0'], undefined, ['0.0.0.0']]);
});

test('a server that could not listen leaves no poller on the closed database', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as { port: number };
  const entries = await logOf(
    `
    const { readSettings, startServer } = await import(process.argv[1]);
    const { mock } = await import('node:test');
    mock.timers.enable({ apis: ['setInterval'] });
    const settings = readSettings({ data: process.argv[2], port: process.argv[3] }, {});
    await startServer(settings, {}).catch((error) => console.log(JSON.stringify({ msg: error.name })));
    // Applications are looked at ten times a second.
    mock.timers.tick(500);
    for (let iterations = 0; iterations < 10; iterations += 1) await new Promise(setImmediate);
    process.exit();
  `,
    String(port),
  );
  assert.deepEqual(
    entries.map(({ msg }) => msg),
    ['ListenError'],
  );
  other.close();
});

/** Returns whether requests in this process are traced. */
async function isTracing(): Promise<boolean> {
  let isDescribed = false;
  const describe = () => {
    isDescribed = true;
    return { name: 'GET /', attributes: {}, headers: {} };
  };
  await traceRequest(describe, async () => {});
  return isDescribed;
}

for (const [label, wrong] of [
  ['that cannot listen', (port: number) => ({ port: String(port) })],
  ['without a database', () => ({ data: join(data, 'missing'), migrate: 'no' })],
] as const)
  test(`a start ${label} ends its tracing and its log, for the program that goes on`, async (t) => {
    const other = createServer().listen(0, '127.0.0.1');
    t.after(() => other.close());
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` };
    const listeners = process.listenerCount('exit');
    const settings = readSettings({ ...flags, ...wrong(port) }, {});
    await assert.rejects(startServer(settings, environment));
    assert.equal(await isTracing(), false);
    assert.equal(process.listenerCount('exit'), listeners, 'the log writes nothing at the exit');
  });
