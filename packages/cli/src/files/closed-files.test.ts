import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { refusalWithoutRoot } from '../../../server/test/as-another-user.ts';
import { temporaryFolder } from '../../test/run-command.ts';

const folder = temporaryFolder();
chmodSync(folder, 0o755);
const closed = join(folder, 'closed.csv');
writeFileSync(closed, 'username\nmara\n');
chmodSync(closed, 0o000);

const imports = {
  openOwnFile: import.meta.resolve('./private-files.ts'),
  readRows: import.meta.resolve('../import/read-rows.ts'),
  requireFile: import.meta.resolve('../user/import-command.ts'),
};

test('an import says of a file that this user may not read that it is so, and what to do', async () => {
  assert.equal(
    await refusalWithoutRoot(imports, `requireFile(${JSON.stringify(closed)})`),
    `UsageError: FILE is ${closed}, which this user may not read; change its owner or its mode`,
  );
});

test('a file that closes while an import begins ends it with an error, not with a crash', async () => {
  const source = JSON.stringify({ path: closed });
  assert.match(
    // A stream that nobody listens to would end the process a moment after the error.
    await refusalWithoutRoot(
      { ...imports, stat: 'node:fs/promises' },
      `Array.fromAsync(readRows(${source})).finally(async () => {
        for (let turn = 0; turn < 20; turn++) await stat('/');
      })`,
    ),
    /^Error: EACCES: permission denied, open '.*closed\.csv'$/,
  );
});

test('a file for results that this user may not write is named, with what to do', async () => {
  const full = join(folder, 'full');
  mkdirSync(full, { mode: 0o555 });
  for (const path of [closed, join(full, 'x.result.csv')])
    assert.equal(
      await refusalWithoutRoot(imports, `openOwnFile(${JSON.stringify(path)})`),
      `UsageError: ${path} cannot be written: this user may not write it; change the owner or the mode of the file or of its folder, or name another file`,
    );
});
