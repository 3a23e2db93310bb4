import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { OptionError } from '../options.ts';
import { checkOut } from './check-out.ts';

test('an unknown revision is refused in one line', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'fieldroster-check-out-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const root = join(import.meta.dirname, '../..');
  assert.throws(
    () => checkOut(root, 'no-such-revision', folder),
    (error: Error) => error instanceof OptionError && !error.message.includes('\n'),
  );
});
