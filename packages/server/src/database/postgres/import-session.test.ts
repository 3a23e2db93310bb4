import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startPostgres } from '../../../test/test-postgres.ts';
import { importSession } from './import-session.ts';
import { openSessionWithoutTimeout } from './open.ts';

test('a trial that fails while PostgreSQL goes away fails with its own error, not with that of the rollback', async (t) => {
  const postgres = await startPostgres({ durable: false });
  t.after(() => postgres.stop());
  const imported = importSession(openSessionWithoutTimeout(postgres.url, 10_000), Date.now);
  t.after(() => imported.close());
  const trying = imported.tryOut(async () => {
    await postgres.kill();
    throw new Error('line 7 is wrong');
  });
  await assert.rejects(trying, /^Error: line 7 is wrong$/);
});
