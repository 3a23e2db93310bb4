import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openTestPostgres, patientDirectory, untilLocked } from '../../../test/test-postgres.ts';
import { HeldKey } from '../../applications/held-key.ts';
import { KeyUpkeep } from '../../applications/key-upkeep.ts';
import { keyProofSettings } from '../../database/database.ts';
import { openPostgresTarget } from '../../database/postgres/copy-session.ts';
import { openDirectory } from '../open-directory.ts';
import { requireStoppedTarget } from './require-stopped-servers.ts';

const postgres = await openTestPostgres({ durable: false });
after(() => postgres.stop());

test('a server that starts while a copy with another master key fills its database learns that it lacks the key', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'fieldroster-stopped-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const url = await postgres.createMigratedDatabase();
  const { database, vault } = await openDirectory({
    ...patientDirectory,
    data: folder,
    database: url,
    environment: {},
  });
  const log = { info: () => {}, warn: () => {} };
  const upkeep = new KeyUpkeep({
    keys: database.keys,
    vault,
    folder,
    environment: {},
    log,
    clockDifferenceMs: () => undefined,
  });
  const target = await openPostgresTarget(url);
  t.after(async () => {
    await target.close();
    await upkeep.stop();
    await database.close();
  });
  await requireStoppedTarget(target, { verb: 'copy', origin: 'source' });
  const starting = assert.rejects(upkeep.start(), { name: 'MasterKeyError', message: /lacks the new one/ });
  await untilLocked(url, starting);
  const { db } = target.session;
  const { proof } = new HeldKey(Buffer.alloc(32, 7));
  await db
    .updateTable('setting')
    .set({ value: proof })
    .where('name', '=', keyProofSettings.current)
    .execute();
  await target.commit();
  await starting;
});
