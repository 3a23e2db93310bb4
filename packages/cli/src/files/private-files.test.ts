import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../test/run-command.ts';
import { replaceFile, requireReplaceable } from './private-files.ts';

const folder = temporaryFolder();
const posix = process.platform !== 'win32';

if (posix)
  test('a file takes the place of no pipe and of no link to one', async () => {
    const [pipe, link] = [join(folder, 'pipe'), join(folder, 'link')];
    execFileSync('mkfifo', [pipe]);
    symlinkSync(pipe, link);
    for (const path of [pipe, link]) {
      await assert.rejects(
        replaceFile(path, (file) => file.writeFile('x')),
        {
          name: 'UsageError',
          message: `${path} cannot be written: it is a device or a pipe; name a regular file`,
        },
      );
    }
    assert.ok(lstatSync(pipe).isFIFO() && lstatSync(link).isSymbolicLink());
    assert.deepEqual(readdirSync(folder).sort(), ['link', 'pipe']);
  });

if (posix)
  test('a file takes the place of no device, and of no name of standard output', async () => {
    // The last one is a regular file, as standard output is where it is redirected into one.
    for (const path of ['/dev/null', '/dev/stdout', '/dev/fd/1', '/proc/self/exe'])
      await assert.rejects(requireReplaceable(path), { message: /it is a device or a pipe/ }, path);
  });

test('a file takes the place of no folder', async () => {
  const path = join(folder, 'folder.csv');
  mkdirSync(path);
  await assert.rejects(
    replaceFile(path, (file) => file.writeFile('x')),
    { message: `${path} cannot be written: it is a folder; name a file in it` },
  );
});
