import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Run } from './measurement.ts';
import { openBench } from './open-bench.ts';

test('what rows of a group share is started once and stopped once after all of them, the newest first', async () => {
  const events: string[] = [];
  {
    await using group = openBench({} as Run);
    for (const name of ['directory', 'server', 'server']) {
      await using row = group.within();
      row.atEnd(() => events.push('end of a row'));
      await row.keep(name, async (bench) => {
        events.push(`start ${name}`);
        bench.atEnd(async () => events.push(`stop ${name}`));
      });
    }
  }
  assert.deepEqual(events, [
    ...['start directory', 'end of a row', 'start server', 'end of a row', 'end of a row'],
    ...['stop server', 'stop directory'],
  ]);
});
