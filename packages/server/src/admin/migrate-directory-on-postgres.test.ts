import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openTestPostgres, runSql, untilLocked } from '../../test/test-postgres.ts';
import { openPostgresTarget } from '../database/postgres/copy-session.ts';
import { migrateDirectory } from './migrate-directory.ts';

test('a migration that a copy has run meanwhile is neither reported nor audited', async (t) => {
  const postgres = await openTestPostgres({ durable: false });
  t.after(() => postgres.stop());
  const data = mkdtempSync(join(tmpdir(), 'fieldroster-migrate-'));
  t.after(() => rmSync(data, { recursive: true, force: true }));
  const database = await postgres.createDatabase();
  const target = await openPostgresTarget(database);
  await target.session.db.insertInto('tenant').values({ name: 'copied', created_at: 1n }).execute();
  const migrating = migrateDirectory({ data, database, environment: {} }, false);
  await untilLocked(database, migrating);
  await target.commit();
  await target.close();
  assert.deepEqual(await migrating, { migrations: [], newer: [] });
  assert.deepEqual(await runSql(database, "select 1 from audit_event where operation = 'migrate'"), []);
});
