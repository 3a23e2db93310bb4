import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestPostgres, patient, runSql, untilLocked } from '../../../../test/test-postgres.ts';
import { ImportRowError, type Numbered, type OrgRow } from '../../database.ts';
import { openPostgresDatabase } from '../open.ts';

async function* rows(...all: readonly Numbered<OrgRow>[]) {
  yield all;
}

test('an import sees the move that it waited for, whatever isolation level the database prefers', async (t) => {
  const postgres = await openTestPostgres();
  t.after(() => postgres.stop());
  const url = await postgres.createMigratedDatabase();
  const name = new URL(url).pathname.slice(1);
  await runSql(url, `alter database ${name} set default_transaction_isolation = 'repeatable read'`);
  const database = await openPostgresDatabase({ ...patient, url });
  t.after(() => database.close());
  const tenant = await database.tenants.insertTenant('one');
  assert(tenant !== undefined);
  await database.importer.importOrgs(
    tenant.id,
    rows({ line: 2, id: 10n, name: 'Ten' }, { line: 3, id: 20n, name: 'Twenty' }),
  );
  const [locked, importing] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const moves = database.write(tenant.id, undefined, async ({ orgs }) => {
    await orgs.lockTree();
    locked.resolve();
    await importing.promise;
    await orgs.update(10n, { parentId: 20n });
    return { result: undefined, audit: { operation: 'test', changes: {} } };
  });
  await locked.promise;
  const imports = database.importer.importOrgs(tenant.id, rows({ line: 2, id: 20n, parentId: 10n }));
  await untilLocked(url, imports);
  importing.resolve();
  await Promise.all([moves, assert.rejects(imports, ImportRowError)]);
});
