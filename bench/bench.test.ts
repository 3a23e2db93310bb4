import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { openPart, openRun } from './bench.ts';

test('what rows share starts once, and stops once after all rows, the newest first', async () => {
  const events: string[] = [];
  {
    await using run = openRun();
    for (const name of ['directory', 'server', 'server']) {
      await using row = openPart(run);
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

test('the folders of a row are removed with it, and those of the run stay', async () => {
  await using run = openRun();
  const ofRun = run.newFolder();
  let ofRow = '';
  {
    await using row = openPart(run);
    ofRow = row.newFolder();
    assert.ok(existsSync(ofRow));
  }
  assert.deepEqual([ofRun, ofRow].map(existsSync), [true, false]);
});
