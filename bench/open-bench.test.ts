import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { temporaryFolder } from '../scripts/testing/temporary-folder.ts';
import { openBench, type Run } from './open-bench.ts';

test('resources that the rows of a group share start once, and stop once after all rows, the newest first', async () => {
  const events: string[] = [];
  {
    await using group = openBench({} as Run);
    for (const name of ['directory', 'server', 'server']) {
      await using row = openBench(group);
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

test('a copy of a directory is removed with its row', async (t) => {
  const folder = temporaryFolder(t);
  const copy = { folder, appId: '', appSecret: '', users: 1 };
  await using group = openBench({ newDirectory: async () => copy } as unknown as Run);
  {
    await using row = openBench(group);
    await row.newDirectory({ root: '', users: 1 });
    assert.ok(existsSync(folder));
  }
  assert.ok(!existsSync(folder));
});
