import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SQLInputValue } from 'node:sqlite';
import { after, test } from 'node:test';
import { loggedQueries } from '../../../test/logged-queries.ts';
import { countStoresOf } from '../queries/lists/count-stores-of.ts';
import { listDeletions } from '../queries/lists/list-audit-events.ts';
import { listOrgsBelow } from '../queries/lists/users-of-orgs.ts';
import { queryBuilderSession } from '../queries/query-builder-session.ts';
import { planStores, upsertStores } from '../queries/targets/upsert-stores.ts';
import {
  countStoresOfUsers,
  lockUsersByName,
  selectStoreCodesOfUsers,
  selectUserStates,
  updateUsers,
} from '../queries/users/many-users.ts';
import { emptyValue, userFieldList } from '../user-columns.ts';
import { connect } from './connections/connection.ts';
import { sqliteEngine } from './engine.ts';
import { databaseFile, openSqliteDatabase } from './open.ts';

const folder = mkdtempSync(join(tmpdir(), 'fieldroster-plans-'));
after(() => rmSync(folder, { recursive: true }));

test('users, stores and organizations are looked up one by one on SQLite, however many the tenant has', async () => {
  const database = await openSqliteDatabase({ folder });
  await database.close();
  const { connection } = connect(join(folder, databaseFile));
  connection.exec("insert into tenant (id, name, created_at) values (1, 'Harbour', 0)");
  const { db, asked } = loggedQueries(connection);
  const session = queryBuilderSession(db, sqliteEngine);
  const listed = { tenantId: 1n, usernames: sqliteEngine.encodeTexts(['mara', 'ada']) };
  await lockUsersByName(session, listed);
  await selectUserStates(session, listed);
  await countStoresOfUsers(session, { ...listed, limit: 2n });
  await selectStoreCodesOfUsers(session, { tenantId: 1n, rows: '[[10],[20]]', limit: 2n });
  const profile = userFieldList.map((field) => emptyValue(field));
  await updateUsers(session, { nowMs: 1n }, [[1n, 10n, 'mara', null, ...profile]]);
  await listOrgsBelow(session, 1n, { orgId: 10n, most: 5 });
  await countStoresOf(session, 1n, [10n, 20n], 1000);
  await listDeletions(session, 1n, [10n, 20n]);
  await upsertStores(session, 1n, [{ code: 'N-001', name: 'North' }]);
  await planStores(session, 1n, [{ code: 'N-001', name: 'North' }]);
  const plans = asked.map(({ sql, parameters }) =>
    connection
      .prepare(`explain query plan ${sql}`)
      .all(...(parameters as SQLInputValue[]))
      .map(({ detail }) => String(detail)),
  );
  const sorted = plans.filter((plan) => plan.some((detail) => detail.includes('FOR ORDER BY')));
  assert.deepEqual(sorted, [], 'a limit ends each statement');
  const searches = plans
    .flat()
    .filter((detail) => /^(SEARCH|SCAN) (user|user_store|store|org|event) /.test(detail));
  assert.deepEqual([...new Set(searches)].sort(), [
    'SEARCH event USING INDEX audit_event_by_user (tenant_id=? AND user_id=?)',
    'SEARCH org USING COVERING INDEX org_by_parent (tenant_id=? AND parent_id=?)',
    'SEARCH org USING PRIMARY KEY (tenant_id=? AND id=?)',
    'SEARCH store USING PRIMARY KEY (tenant_id=? AND code=?)',
    'SEARCH user USING INDEX sqlite_autoindex_user_2 (tenant_id=? AND username=?)',
    'SEARCH user USING PRIMARY KEY (tenant_id=? AND id=?)',
    'SEARCH user_store USING COVERING INDEX user_store_by_store (tenant_id=? AND store_code=?)',
    'SEARCH user_store USING PRIMARY KEY (tenant_id=? AND user_id=?)',
  ]);
});
