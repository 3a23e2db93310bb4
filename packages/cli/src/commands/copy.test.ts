import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { runCommand, temporaryFolder } from '../../test/run-command.ts';

const folder = temporaryFolder();
const [source, target] = [join(folder, 'source'), join(folder, 'target')];

test('a directory is copied with its counts and checksums, once', async () => {
  await runCommand(['app', 'create', '--name', 'x', '--data', source]);
  const first = await runCommand(['copy', '--from', source, '--to', target, '--json']);
  assert.equal(first.exitCode, 0, first.stderr);
  const { tables } = JSON.parse(first.stdout);
  const application = tables.find(({ table }: { table: string }) => table === 'application');
  assert.equal(application.rows, 1);
  assert.match(application.checksum, /^[0-9a-f]{64}$/);
  const again = await runCommand(['copy', '--from', source, '--to', target]);
  assert.equal(again.exitCode, 1);
  assert.match(again.stderr, /^fieldroster: .*already holds a directory[^\n]*\n$/);
});

test('a copy without a source or a target is a usage error, and one from a missing source a failure', async () => {
  assert.equal((await runCommand(['copy', '--from', source])).exitCode, 2);
  const { exitCode, stderr } = await runCommand([
    'copy',
    '--from',
    join(folder, 'none'),
    '--to',
    join(folder, 'x'),
  ]);
  assert.equal(exitCode, 1);
  assert.match(stderr, /^fieldroster: there is no database at [^\n]+\n$/);
});
