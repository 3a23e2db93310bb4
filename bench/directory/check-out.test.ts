import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../scripts/testing/temporary-folder.ts';
import { OptionError } from '../options.ts';
import { checkOut } from './check-out.ts';

test('an unknown revision is refused in one line', (t) => {
  const folder = temporaryFolder(t);
  const root = join(import.meta.dirname, '../..');
  assert.throws(
    () => checkOut(root, 'no-such-revision', folder),
    (error: Error) => error instanceof OptionError && !error.message.includes('\n'),
  );
});
