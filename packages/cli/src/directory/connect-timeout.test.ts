import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { before, describe, mock, test } from 'node:test';
import { runCommand, temporaryFolder } from '../../test/run-command.ts';
import { buildProgram } from '../program.ts';
import { runProgram } from '../run-program.ts';

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);

before(async () => {
  for (const words of [
    ['app', 'create', '--name', 'x', '--data', at('source')],
    ['backup', '--to', at('x.backup'), '--data', at('source')],
  ]) {
    const { exitCode, stderr } = await runCommand(words);
    assert.equal(exitCode, 0, stderr);
  }
});

const stepMs = 1_000;

/** Lets what is on its way arrive, over real sockets. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** Runs a command in this process, whose time passes only here, and returns how long it waited for the database. */
async function waitOf(wordsFor: (url: string) => readonly string[]): Promise<number> {
  const silent = createServer();
  await once(silent.listen(0, '127.0.0.1'), 'listening');
  const { port } = silent.address() as AddressInfo;
  const words = wordsFor(`postgres://u:p@127.0.0.1:${port}/n`);
  const restore = [swallowTexts(process.stdout), swallowTexts(process.stderr)];
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    const accepted = once(silent, 'connection');
    const done = buildProgram(words).then((program) => runProgram(program, words));
    const [socket] = await accepted;
    let isClosed = false;
    socket
      .on('error', () => {})
      .on('close', () => {
        isClosed = true;
      });
    // The server has to read, or it never learns of the end.
    socket.resume();
    let waitedMs = 0;
    for (; !isClosed; waitedMs += stepMs) {
      mock.timers.tick(stepMs);
      await turns(5);
    }
    assert.notEqual(await done, 0);
    return waitedMs;
  } finally {
    mock.timers.reset();
    for (const putBack of restore) putBack();
    silent.close();
  }
}

/** Keeps what the command prints out of the report of this test, which goes to the same stream, as bytes. */
function swallowTexts(stream: NodeJS.WriteStream): () => void {
  const { write } = stream;
  stream.write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
    if (typeof chunk !== 'string') return Reflect.apply(write, stream, [chunk, ...rest]);
    const done = rest.at(-1);
    if (typeof done === 'function') done();
    return true;
  };
  return () => {
    stream.write = write;
  };
}

describe('a command waits as long as the servers for a PostgreSQL that accepts and never answers', () => {
  for (const [label, wordsFor] of [
    ['backup', (url) => ['backup', '--to', at('new.backup'), '--database', url]],
    ['copy from it', (url) => ['copy', '--from', url, '--to', at('target')]],
    ['copy to it', (url) => ['copy', '--from', at('source'), '--to', url]],
    ['restore', (url) => ['restore', '--from', at('x.backup'), '--data', at('source'), '--database', url]],
    ['restore --finish', (url) => ['restore', '--finish', '--data', at('source'), '--database', url]],
    ['migrate', (url) => ['migrate', '--database', url]],
    ['migrate --dry-run', (url) => ['migrate', '--dry-run', '--database', url]],
    ['doctor', (url) => ['doctor', '--quick', '--data', at('source'), '--database', url]],
  ] satisfies [string, (url: string) => readonly string[]][])
    test(label, async (t) => {
      t.after(() => {
        delete process.env.FIELDROSTER_DATABASE_CONNECT_TIMEOUT;
      });
      process.env.FIELDROSTER_DATABASE_CONNECT_TIMEOUT = '60000';
      assert.ok((await waitOf(wordsFor)) >= 60_000);
      // It tries only once, so it never waits less than this.
      process.env.FIELDROSTER_DATABASE_CONNECT_TIMEOUT = '100';
      const shortest = await waitOf(wordsFor);
      assert.ok(shortest >= 10_000 && shortest < 60_000, `${shortest}`);
    });
});
