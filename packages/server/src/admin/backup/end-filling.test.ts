import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { CommitProxy } from '../../../test/commit-proxy.ts';
import {
  openTestPostgres,
  patientDirectory,
  runSql,
  type TestPostgres,
} from '../../../test/test-postgres.ts';
import { copyDirectory } from '../copy-directory.ts';
import { openDirectory } from '../open-directory.ts';
import { finishRestore } from './finish-restore.ts';
import { makeBackup } from './make-backup.ts';
import { restoreBackup } from './restore-backup.ts';

let postgres: TestPostgres;
const folder = mkdtempSync(join(tmpdir(), 'fieldroster-end-filling-'));
const data = join(folder, 'source');
const file = join(folder, 'source.backup');
const environment = { FIELDROSTER_MASTER_KEY: 'ab'.repeat(32) };

before(async () => {
  postgres = await openTestPostgres({ durable: false });
  const { database } = await openDirectory({ data, environment });
  await database.write(1n, undefined, async (writer) => {
    await writer.insertUser('mara', {});
    return { result: undefined, audit: { operation: 'create-user', changes: {} } };
  });
  await database.close();
  await makeBackup({ data }, file, { release: '0.1.0', verify: false });
});

after(async () => {
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
});

const fillings = {
  restore: (database: string) =>
    restoreBackup(file, { ...patientDirectory, data: folder, database, environment }),
  copy: (database: string) => copyDirectory(data, database, () => {}, { environment }),
};

/** Makes a database in which a session ends when it analyzes the table of users, unless its transaction has changes. */
async function createWithoutAnalyze(): Promise<string> {
  const url = await postgres.createMigratedDatabase();
  await runSql(
    url,
    `create function public.end_analyze(bigint) returns bigint immutable language plpgsql as $$
      begin
        if current_query() like 'analyze%' and pg_current_xact_id_if_assigned() is null then
          perform pg_terminate_backend(pg_backend_pid());
        end if;
        return $1;
      end $$;
    create index on "user" (public.end_analyze(id))`,
  );
  return url;
}

for (const [name, fill] of Object.entries(fillings)) {
  describe(`a ${name} into PostgreSQL`, () => {
    test('is done and warns if the connection is lost while the statistics are refreshed', async () => {
      const url = await createWithoutAnalyze();
      const { warnings } = await fill(url);
      assert.match(
        warnings.join(),
        /^the statistics of the tables could not be refreshed \(.+\).*: run ANALYZE /,
      );
      assert.equal((await runSql(url, 'select 1 from "user"')).length, 1);
    });

    test('has no warning if nothing fails', async () => {
      assert.deepEqual((await fill(await postgres.createDatabase())).warnings, []);
    });

    test('says how to find out what happened if the reply to COMMIT is lost', async (t) => {
      const url = await postgres.createMigratedDatabase();
      const proxy = await CommitProxy.start(url);
      t.after(() => proxy.stop());
      proxy.onCommit = () => 'lose reply';
      const lost =
        /ended during the commit, so .* run the same command again; if it says that the target already/;
      await assert.rejects(fill(proxy.url), { name: 'AdminError', message: lost });
      await assert.rejects(fill(url), /already holds (data|a directory)/);
    });
  });
}

test('a finish says how to find out what happened if the reply to COMMIT is lost', async (t) => {
  const url = await postgres.createMigratedDatabase();
  await fillings.restore(url);
  const proxy = await CommitProxy.start(url);
  t.after(() => proxy.stop());
  proxy.onCommit = () => 'lose reply';
  const finish = (database: string) =>
    finishRestore({ ...patientDirectory, data: folder, database, environment });
  const message = /^(?!.*already holds).*: run the same command again; it may be repeated$/;
  await assert.rejects(finish(proxy.url), { name: 'AdminError', message });
  await finish(url);
});

test('a restore into a folder is done and warns if the list of erasures cannot be written', async () => {
  const [beside, target] = [join(folder, 'beside'), join(folder, 'target')];
  for (const made of [beside, target]) mkdirSync(made);
  await makeBackup({ data }, join(beside, 'x.backup'), { release: '0.1.0', verify: false });
  const erasure = { tenant_id: '1', user_id: '1', username_hash: 'ab', at: '2026-01-01T00:00:00.000Z' };
  const list = join(beside, 'named.jsonl');
  writeFileSync(list, `${JSON.stringify(erasure)}\n`);
  symlinkSync('erasures.jsonl.new', join(target, 'erasures.jsonl.new'));
  const { finish, warnings } = await restoreBackup(
    join(beside, 'x.backup'),
    { data: target, environment },
    { erasureFiles: [list] },
  );
  assert.equal(finish.erasures, 1);
  assert.match(
    warnings.join(),
    /^the list of erasures \S+target\/erasures\.jsonl could not be written \(ELOOP/,
  );
  const { database } = await openDirectory({ data: target, environment });
  assert.equal((await database.erasures.list()).length, 1);
  await database.close();
});
