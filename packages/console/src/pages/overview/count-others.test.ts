import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countOthers } from './count-others.ts';

const [till, hr] = [{ app_id: 'till' }, { app_id: 'hr' }];

test('a second code of the failing application is not another application', () => {
  assert.deepEqual(countOthers(till, [till, till]), { codes: 1, applications: 0 });
});

test('an application that fails with two codes counts once', () => {
  assert.deepEqual(countOthers(till, [till, hr, hr]), { codes: 0, applications: 1 });
});
