import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { makeMemoryFolder } from './memory-folder.ts';
import { temporaryFolder } from './temporary-folder.ts';

const roomy = (t: TestContext) => ({ parent: temporaryFolder(t), neededBytes: 1 });

test('every user may make files in the folder, and programs run from it', (t) => {
  const folder = makeMemoryFolder(roomy(t));
  assert(folder !== undefined);
  assert.deepEqual(readdirSync(folder), []);
  assert.equal(statSync(folder).mode & 0o7777, 0o1777);
  const program = join(folder, 'program');
  writeFileSync(program, '#!/bin/sh\nexit 7\n', { mode: 0o755 });
  assert.equal(spawnSync(program).status, 7);
});

test('where little is free, or nothing at all is there, no folder is made', (t) => {
  const { parent } = roomy(t);
  assert.equal(makeMemoryFolder({ parent, neededBytes: Number.MAX_VALUE }), undefined);
  assert.deepEqual(readdirSync(parent), []);
  assert.equal(makeMemoryFolder({ parent: join(parent, 'missing'), neededBytes: 1 }), undefined);
});

test('the folder of a run that was killed is removed by a later one, and that of a run at work is kept', (t) => {
  const options = roomy(t);
  const [killed, atWork, other] = ['fieldroster-tests-1', 'fieldroster-tests-2', 'other'].map((name) =>
    join(options.parent, name),
  ) as [string, string, string];
  for (const folder of [killed, atWork, other]) mkdirSync(join(folder, 'data'), { recursive: true });
  const twoHoursAgo = Date.now() / 1000 - 2 * 60 * 60;
  for (const folder of [killed, other]) utimesSync(folder, twoHoursAgo, twoHoursAgo);
  makeMemoryFolder(options);
  assert.deepEqual([killed, atWork, other].map(existsSync), [false, true, true]);
});
