import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { readSettings } from '@fieldroster/server';
import { temporaryFolder } from '../../test/run-command.ts';
import { programCommands } from './program-commands.ts';

const folder = temporaryFolder();
const never = new AbortController().signal;

// Takes a moment to end when it is told to, like a command that removes what it has begun to write.
const program = join(folder, 'program.mjs');
writeFileSync(
  program,
  `import { writeFileSync } from 'node:fs';
  const file = process.argv.at(-1);
  process.on('SIGTERM', () => setTimeout(() => {
    writeFileSync(file + '.ended', '');
    process.exit(1);
  }, 100));
  setInterval(() => {}, 1_000);
  writeFileSync(file + '.started', '');`,
);

test('a command that is aborted is waited for until its process has ended', async (t) => {
  const [, own = ''] = process.argv;
  process.argv[1] = program;
  t.after(() => {
    process.argv[1] = own;
  });
  const stopping = new AbortController();
  const file = join(folder, 'a.backup');
  const verified = programCommands(readSettings({}, {})).verifyBackup(file, stopping.signal);
  while (!existsSync(`${file}.started`)) await nextIteration();
  stopping.abort();
  await assert.rejects(verified, { name: 'AbortError' });
  assert.ok(existsSync(`${file}.ended`));
});

test('a command that cannot be started fails with the reason', async (t) => {
  const { execPath } = process;
  process.execPath = join(folder, 'missing');
  t.after(() => {
    process.execPath = execPath;
  });
  const examined = programCommands(readSettings({}, {})).examine(never);
  await assert.rejects(examined, /^Error: a command could not be started: spawn \S+missing ENOENT$/);
});

test('a command that was aborted before its start is not started', async () => {
  const file = join(folder, 'b.backup');
  const commands = programCommands(readSettings({}, {}));
  await assert.rejects(commands.verifyBackup(file, AbortSignal.abort()), { name: 'AbortError' });
});
