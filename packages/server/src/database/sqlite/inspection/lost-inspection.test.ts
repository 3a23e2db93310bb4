import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openLostInspection } from './lost-inspection.ts';

const said = 'is lost: the file is empty or missing, but files that belong to it are beside it';

test('whatever reads a lost database fails, and says that it is lost', async () => {
  const inspection = openLostInspection('/data');
  const { keys, ...methods } = inspection;
  for (const read of [
    keys.stored,
    keys.listSealed,
    keys.holders,
    methods.newestChangeMs,
    methods.purgedThroughSeconds,
    methods.lastGoodBackup,
    methods.firstTenant,
    methods.schema,
    methods.limitsApplications,
    methods.engineSettings,
    methods.findDamage,
    methods.findBrokenForeignKeys,
    methods.findOrphans,
    methods.findOrgCycles,
    methods.findClaimsWithoutAudit,
  ]) {
    await assert.rejects(read(), (error: unknown) => {
      assert.equal(inspection.damageIn(error), said);
      return true;
    });
  }
});

test('questions that do not concern the content of a lost database are answered', async () => {
  const inspection = openLostInspection('/data');
  assert.equal(inspection.engine, 'sqlite');
  assert.equal(inspection.location, '/data/fieldroster.db');
  assert.equal(await inspection.databaseTimeMs(), undefined);
  assert.equal(await inspection.connectionsMax(), undefined);
  assert.equal(inspection.damageIn(new Error(said)), undefined, 'it is an error of something else');
  await inspection.close();
});
