import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openRun } from '../bench.ts';
import { OptionError } from '../options.ts';
import { checkOut } from './check-out.ts';

test('an unknown revision is refused in one line', async () => {
  await using bench = openRun();
  assert.throws(
    () => checkOut(bench, join(import.meta.dirname, '../..'), 'no-such-revision'),
    (error: Error) => error instanceof OptionError && !error.message.includes('\n'),
  );
});
