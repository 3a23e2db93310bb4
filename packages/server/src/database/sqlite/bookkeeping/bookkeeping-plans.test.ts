import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SQLInputValue } from 'node:sqlite';
import { after, test } from 'node:test';
import { loggedQueries } from '../../../../test/logged-queries.ts';
import { askBookkeeping, fillBookkeeping } from '../../conformance/bookkeeping-plans.ts';
import { queryBuilderSession } from '../../queries/query-builder-session.ts';
import { connect } from '../connections/connection.ts';
import { sqliteEngine } from '../engine.ts';
import { BookkeepingFile, bookkeepingFile } from './bookkeeping-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'fieldroster-plans-'));
after(() => rmSync(folder, { recursive: true }));

test('no query about calls or secrets reads a whole table on SQLite', async () => {
  const file = new BookkeepingFile({ folder, lockWaitMs: 1_000 });
  await file.open();
  const { connection } = connect(join(folder, bookkeepingFile));
  const { db, asked } = loggedQueries(connection);
  await fillBookkeeping(db);
  asked.length = 0;
  await askBookkeeping(queryBuilderSession(db, sqliteEngine));
  assert.ok(asked.length >= 10);
  for (const { sql, parameters } of asked) {
    const plan = connection.prepare(`explain query plan ${sql}`).all(...(parameters as SQLInputValue[]));
    const details = plan.map(({ detail }) => String(detail));
    // A scan along an index, with a limit, reads as many rows as it returns.
    const scans = details.filter((detail) => /^SCAN (call_|failed_|unkept_|secret_)/.test(detail));
    assert.ok(scans.length === 0 || / limit /.test(sql), `${sql}\n${details.join('\n')}`);
  }
  connection.close();
  await file.close();
});
