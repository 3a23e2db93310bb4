import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serverNow, setServerTime } from '../../../api/server-clock.ts';
import { newSentBatch } from './new-sent-batch.ts';

const hourMs = 3_600_000;

test('a batch is dated by the clock of the server, even if the browser’s is an hour slow or fast', (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.UTC(2026, 0, 31, 12) });
  t.after(() => setServerTime(Date.now()));
  for (const aheadMs of [hourMs, -hourMs]) {
    setServerTime(Date.now() + aheadMs);
    const { changeId, startedAtMs } = newSentBatch();
    assert.equal(startedAtMs, Date.now() + aheadMs);
    assert.equal(startedAtMs, serverNow());
    // The first 48 bits of the id are its time.
    assert.equal(Number.parseInt(changeId.replaceAll('-', '').slice(0, 12), 16), startedAtMs);
  }
});
