import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, afterEach, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { reservePort } from '../packages/server/test/reserve-port.ts';
import { runFieldroster } from './fieldroster-command.ts';
import { type Provisioned, provisionDirectory } from './provision-directory.ts';
import { ServerProcess } from './server-process.ts';
import { type Envelope, NoAnswerError, type SignedCall, SignedClient, signCall } from './signed-client.ts';
import { listWorkers } from './workers/worker-pids.ts';

const writers = 24;

describe('graceful stop', () => {
  let directory: Provisioned;

  before(async () => {
    directory = await provisionDirectory(20);
  });

  const started: ServerProcess[] = [];

  async function start(...flags: readonly string[]): Promise<ServerProcess> {
    const port = String(await reservePort());
    const server = await ServerProcess.start(directory, '--port', port, ...flags);
    started.push(server);
    return server;
  }

  afterEach(async () => {
    for (const server of started.splice(0)) await server.kill();
  });

  after(() => directory.remove());

  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    test(`${signal} under load: every request is answered or never took effect, and the exit code is 0`, async (t) => {
      const server = await start();
      const load = startLoad(directory, server, signal);
      await load.busy;
      assert.equal(await server.stop(signal), 0);
      const { answered, refused } = await load.ended;
      assert.ok(answered.length > 0);
      await verifyAfterRestart(directory, answered, refused);
      t.diagnostic(`${answered.length} answered, ${refused.length} not accepted`);
    });
  }

  test('SIGTERM while passwords are being hashed: each of those requests gets its answer', async () => {
    const server = await start();
    const calls = Array.from({ length: 12 }, (_, index) => {
      const content = { username: `hashed-${index}`, password: 'a password' };
      return signCall(directory.credentials, 'POST', '/user', content);
    });
    const agent = new Agent({ keepAlive: true });
    const uploads = await Promise.all(
      calls.map(async (call) => ({ call, upload: await beginUpload(server, agent, call) })),
    );
    const answers = uploads.map(({ call, upload }) => finishUpload(upload, call));
    // The server has received all of them, and most still wait in the queue when the first is answered.
    await Promise.race(answers);
    const stopped = server.stop();
    for (const { envelope } of await Promise.all(answers)) assert.equal(envelope.code, 0, envelope.message);
    agent.destroy();
    assert.equal(await stopped, 0);
  });

  test('SIGTERM while a body arrives: the request is answered and applied', async () => {
    const server = await start();
    const username = 'half-sent';
    const call = signCall(directory.credentials, 'POST', '/user/stores', { username });
    const agent = new Agent({ keepAlive: true });
    const upload = await beginUpload(server, agent, call);
    const stopped = server.stop();
    await untilRefused(server.port);
    const { envelope, connection } = await finishUpload(upload, call);
    agent.destroy();
    assert.equal(envelope.code, 0, envelope.message);
    // With any other answer, client and server would keep the connection until one of them found it idle.
    assert.equal(connection, 'close');
    assert.equal(await stopped, 0);
    await verifyAfterRestart(directory, [call], []);
  });

  test('workers whose supervisor is killed answer what they have begun, and end', async () => {
    const server = await start('--workers', '2');
    const call = signCall(directory.credentials, 'POST', '/user/stores', { username: 'orphaned' });
    const agent = new Agent({ keepAlive: true });
    const upload = await beginUpload(server, agent, call);
    const workers = listWorkers(server.pid);
    assert.equal(workers.length, 2);
    process.kill(server.pid, 'SIGKILL');
    await untilRefused(server.port);
    const { envelope } = await finishUpload(upload, call);
    agent.destroy();
    assert.equal(envelope.code, 0, envelope.message);
    await untilGone(workers);
    await verifyAfterRestart(directory, [call], []);
  });

  test('a second signal ends the workers too, even one that hangs, and frees the port', async () => {
    const server = await start('--workers', '2');
    const workers = listWorkers(server.pid);
    const [frozen = 0] = workers;
    process.kill(frozen, 'SIGSTOP');
    server.signal('SIGTERM');
    // The other worker has stopped, so the first signal has been seen.
    while (listWorkers(server.pid).length > 1) await delay(20);
    while (server.running) {
      server.signal('SIGTERM');
      await delay(400);
    }
    await untilGone(workers);
    await untilRefused(server.port);
    assert.equal(await server.stop(), 1);
  });

  test('a client that sent no HTTP and never closes its side does not delay the stop', {
    timeout: 240_000,
  }, async () => {
    const server = await start();
    const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => {}).write('no HTTP\r\n\r\n');
    const [answer] = await once(socket, 'data');
    assert.match(String(answer), /^HTTP\/1\.1 400 /);
    assert.equal(await server.stop(), 0);
    socket.destroy();
  });

  test('a second server on a used port prints one line to standard error and exits with 1', async () => {
    const server = await start();
    const other = join(directory.folder, 'other');
    const result = await runFieldroster('serve', '--data', other, '--port', String(server.port));
    await server.stop();
    assert.equal(result.exitCode, 1);
    assert.match(result.stderr, new RegExp(`^[^\\n]*127\\.0\\.0\\.1:${server.port}[^\\n]*\\n$`));
  });

  test('a start after a stop keeps the data and prints no secret', async () => {
    const first = await start();
    const client = new SignedClient(first.url, directory.credentials);
    const password = 'a password that nobody may read';
    assert.equal((await client.call('POST', '/user', { username: 'kept', password })).code, 0);
    client.close();
    assert.equal(await first.stop(), 0);
    const second = await start();
    const again = new SignedClient(second.url, directory.credentials);
    const { code, data } = await again.call('GET', '/user?username=kept');
    again.close();
    assert.equal(await second.stop(), 0);
    assert.deepEqual([code, data?.username], [0, 'kept']);
    const secrets = [password, directory.credentials.appSecret, ...(await readKeyTexts(directory.data))];
    for (const output of [first.output, second.output]) {
      for (const secret of secrets) assert.ok(!output.includes(secret), 'a secret was printed');
    }
  });
});

interface Load {
  /** Resolves once every writer has received an answer. */
  readonly busy: Promise<unknown>;
  readonly ended: Promise<{ answered: SignedCall[]; refused: SignedCall[] }>;
}

/** Starts writers that write until the server is gone, each on its own connection. */
function startLoad({ credentials }: Provisioned, { url }: ServerProcess, mark: string): Load {
  const answered: SignedCall[] = [];
  const refused: SignedCall[] = [];
  const client = new SignedClient(url, credentials, writers);
  const starts = Array.from({ length: writers }, () => Promise.withResolvers<void>());
  const writing = starts.map(async ({ resolve }, writer) => {
    for (let count = 0; ; count++) {
      const username = `${mark}-${writer}-${count}`;
      const call = signCall(credentials, 'POST', '/user/stores', { username });
      if (!(await isAnswered(client, call))) return refused.push(call);
      answered.push(call);
      resolve();
    }
  });
  const ended = Promise.all(writing).then(() => {
    client.close();
    return { answered, refused };
  });
  return { busy: Promise.all(starts.map(({ promise }) => promise)), ended };
}

async function isAnswered(client: SignedClient, call: SignedCall): Promise<boolean> {
  try {
    const { code, message } = await client.send(call);
    assert.equal(code, 0, message);
    return true;
  } catch (error) {
    if (error instanceof NoAnswerError) return false;
    throw error;
  }
}

/** The answer to a replay shows the outcome: 1015 if the write was applied, 0 if it never was. */
async function verifyAfterRestart(
  directory: Provisioned,
  applied: readonly SignedCall[],
  notApplied: readonly SignedCall[],
): Promise<void> {
  const server = await ServerProcess.start(directory);
  const client = new SignedClient(server.url, directory.credentials);
  const codes = async (calls: readonly SignedCall[]) =>
    new Set((await Promise.all(calls.map((call) => client.send(call)))).map(({ code }) => code));
  try {
    assert.deepEqual([...(await codes(applied))], applied.length > 0 ? [1015] : []);
    assert.deepEqual([...(await codes(notApplied))], notApplied.length > 0 ? [0] : []);
  } finally {
    client.close();
    assert.equal(await server.stop(), 0);
  }
}

/** Sends the head of a request and resolves once the server has accepted it and asks for the body. */
async function beginUpload(server: ServerProcess, agent: Agent, call: SignedCall): Promise<ClientRequest> {
  const upload = request({
    agent,
    port: server.port,
    method: call.method,
    path: call.target,
    headers: { ...call.headers, Expect: '100-continue' },
  });
  upload.flushHeaders();
  await once(upload, 'continue');
  return upload;
}

async function finishUpload(
  upload: ClientRequest,
  call: SignedCall,
): Promise<{ envelope: Envelope; connection: string | undefined }> {
  const answer = once(upload, 'response') as Promise<[IncomingMessage]>;
  upload.end(call.body);
  const [response] = await answer;
  const envelope = JSON.parse(await text(response)) as Envelope;
  return { envelope, connection: response.headers.connection };
}

/** Resolves once the server refuses connections, which means that the stop has begun. */
async function untilRefused(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    const accepted = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (!accepted) return;
    await delay(10);
  }
}

async function untilGone(pids: readonly number[]): Promise<void> {
  while (pids.some(isRunning)) await delay(20);
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** The master key as its file contains it, and in the other forms that could be printed. */
async function readKeyTexts(data: string): Promise<string[]> {
  const content = (await readFile(join(data, 'master.key'), 'utf8')).trim();
  const bytes = Buffer.from(content, 'base64');
  return [content, bytes.toString('hex'), bytes.toString('base64'), bytes.toString('base64url')];
}
