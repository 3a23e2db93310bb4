import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';

const program = join(import.meta.dirname, '../../test/dying-supervisor.ts');

describe('a worker that starts while its supervisor dies ends without a word', { timeout: 240_000 }, () => {
  for (const moment of ['as it starts the process', 'as the worker is about to listen']) {
    test(`${moment}`, async () => {
      const child = spawn(process.execPath, [...process.execArgv, program, moment]);
      // The streams end when the worker, which has inherited them, ends too.
      const printed = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
      assert.deepEqual(printed.slice(0, 2), ['', '']);
    });
  }
});
