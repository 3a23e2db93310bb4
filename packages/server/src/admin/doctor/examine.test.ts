import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, type TestContext, test } from 'node:test';
import {
  openTestPostgres,
  patientDirectory,
  runSql,
  type TestPostgres,
} from '../../../test/test-postgres.ts';
import { readSettings, type Settings } from '../../config.ts';
import type { ProcessMemory } from '../../http/body/body-memory.ts';
import { issueApplication } from '../applications.ts';
import { makeBackup } from '../backup/make-backup.ts';
import { repairDirectory } from '../migrate-directory.ts';
import { openDirectory } from '../open-directory.ts';
import { type ExamineOptions, examine, exitCodeOf } from './examine.ts';
import type { NamedFinding } from './finding.ts';

interface ExaminedDirectory {
  readonly data: string;
  /** An empty folder, for backups. */
  readonly folder: string;
  readonly settings: Settings;
  sql(text: string, ...values: (string | number | bigint | Uint8Array)[]): Promise<void>;
}

const environment: NodeJS.ProcessEnv = {};

function memoryOf(mebibytes: number): ProcessMemory {
  const bytes = mebibytes * 1024 * 1024;
  return { constrainedBytes: 0, totalBytes: bytes, heapBytesMax: bytes };
}

async function openPlace(t: TestContext, database?: string): Promise<ExaminedDirectory> {
  const data = mkdtempSync(join(tmpdir(), 'fieldroster-doctor-'));
  t.after(() => rmSync(data, { recursive: true, force: true }));
  const settings = { ...readSettings({ data, ...(database && { database }) }, {}), ...patientDirectory };
  const directory = await openDirectory({ ...settings, environment });
  const issue = { name: 'x', tenant: 'default', scope: 'write', appId: 'app-x' } as const;
  await issueApplication(directory, issue);
  const tenant = await directory.database.tenants.findTenant('default');
  await directory.database.write(tenant?.id ?? 0n, newClaim(), async (writer) => {
    const userId = await writer.insertUser('mara', {});
    return {
      result: undefined,
      audit: { requestId: 'r-1', operation: 'create-user', userId: userId ?? 0n, changes: {} },
    };
  });
  await directory.database.close();
  const folder = join(data, 'backups');
  mkdirSync(folder);
  return { data, folder, settings, sql: (text, ...values) => runOn(data, database, text, values) };
}

/** Made for each write: the doctor expects the audit row at about the time of the claim, and the file may take minutes. */
function newClaim() {
  const expiresAtSeconds = Math.floor(Date.now() / 1000) + 60;
  return { signature: randomBytes(32), requestId: 'r-1', expiresAtSeconds };
}

async function runOn(
  data: string,
  database: string | undefined,
  text: string,
  values: (string | number | bigint | Uint8Array)[],
): Promise<void> {
  let count = 0;
  if (database !== undefined) {
    await runSql(
      database,
      text.replaceAll('?', () => `$${++count}`),
      values,
    );
    return;
  }
  using connection = new DatabaseSync(join(data, 'fieldroster.db'), { enableForeignKeyConstraints: false });
  connection.prepare(text).run(...values);
}

/**
 * The tests share a PostgreSQL that runs without syncs, to be fast. Its machine may answer slowly, or have a disk that is
 * nearly full. The doctor's warnings about that are right, and expected here.
 */
function forgiveTests(finding: NamedFinding): NamedFinding {
  const { check, level, message } = finding;
  const isOfMachine =
    message.startsWith('the database runs with fsync off') ||
    (check === 'disk space' && level === 'warning' && /^\d{1,4} MiB free/.test(message)) ||
    (check === 'sync latency' && level === 'warning' && / takes ([2-9]\d\d|\d{4,})\.\d ms /.test(message));
  return isOfMachine ? { ...finding, level: 'ok' } : finding;
}

async function examinePlace(
  place: ExaminedDirectory,
  { onFinding, ...more }: Partial<ExamineOptions> = {},
): Promise<readonly NamedFinding[]> {
  const report = (finding: NamedFinding) => onFinding?.(forgiveTests(finding));
  const findings = await examine({ settings: place.settings, environment, ...more, onFinding: report });
  return findings.map(forgiveTests);
}

function backupFindings(findings: readonly NamedFinding[]): readonly NamedFinding[] {
  return findings.filter(({ check }) => check === 'backup');
}

function assertWell(findings: readonly NamedFinding[]): void {
  assert.deepEqual(
    findings.filter(({ level }) => level === 'warning' || level === 'error'),
    [],
  );
}

/** Asserts that the findings have exactly one of this level, with these words, and that it says what to do. */
function assertFound(
  findings: readonly NamedFinding[],
  level: 'note' | 'warning' | 'error',
  check: string,
  words: RegExp,
): void {
  const levels = level === 'note' ? [level] : ['warning', 'error'];
  const bad = findings.filter((finding) => levels.includes(finding.level));
  const found = bad.find((finding) => finding.check === check && words.test(finding.message));
  assert.ok(found !== undefined, JSON.stringify(bad, null, 1));
  assert.equal(found.level, level);
  assert.ok((found.advice ?? '').length > 0);
}

function registerOnBothEngines(open: (t: TestContext) => Promise<ExaminedDirectory>): void {
  test('a healthy directory has no warnings, and its backup is a note', async (t) => {
    const place = await open(t);
    const seen: NamedFinding[] = [];
    const findings = await examinePlace(place, { onFinding: (finding) => void seen.push(finding) });
    assert.deepEqual(seen, findings);
    assert.deepEqual(
      findings.filter(({ level }) => level !== 'ok').map(({ level, message }) => [level, message]),
      [['note', 'no backup is known']],
    );
    assert.equal(exitCodeOf(findings), 0);
    assert.deepEqual(
      [...new Set(findings.map(({ check }) => check))],
      [
        'locks',
        'clock',
        'disk space',
        'sync latency',
        'schema',
        'file modes',
        'secrets',
        'settings',
        'backup',
        'bookkeeping',
        'organizations',
        'audit',
        'integrity',
        'foreign keys',
        'change order',
        'user search',
        'orphans',
      ],
    );
    const quick = await examinePlace(place, { quick: true });
    assert.ok(
      !quick.some(({ check }) =>
        ['integrity', 'foreign keys', 'change order', 'user search', 'orphans'].includes(check),
      ),
    );
  });

  test('a clock that is behind is found by the stored times', async (t) => {
    const place = await open(t);
    const startedMs = performance.now();
    const findings = await examinePlace(place, { now: () => Date.now() - 3_600_000 });
    if (place.settings.database === '')
      return assertFound(findings, 'warning', 'clock', /dated 20.*in the future/);
    const behind = /clock is ([\d.]+) s behind the database's/;
    assertFound(findings, 'error', 'clock', behind);
    const message = findings.find(({ check }) => check === 'clock')?.message ?? '';
    const seconds = Number(behind.exec(message)?.[1]);
    const takenSeconds = (performance.now() - startedMs) / 1000;
    assert.ok(seconds <= 3_600 && seconds >= 3_599.9 - takenSeconds, message);
  });

  test('only on PostgreSQL another clock is compared; on SQLite, the doctor names tools that do', async (t) => {
    const place = await open(t);
    const message = (await examinePlace(place)).find(({ check }) => check === 'clock')?.message ?? '';
    const isOwn = place.settings.database === '';
    assert.match(
      message,
      isOwn ? /timedatectl or chronyc tracking shows/ : /s (ahead of|behind) the database's/,
    );
  });

  test('a change from a clock that ran ahead asks for no work once the clocks are right', async (t) => {
    const place = await open(t);
    await place.sql('update audit_event set at = at + ?', 3_600_000n);
    const findings = await examinePlace(place);
    const found = findings.filter(({ check, level }) => check === 'clock' && level !== 'ok');
    assert.equal(found.length, 1);
    assert.match(found[0]?.message ?? '', /^the newest change is dated 20.*in the future/);
    assert.match(found[0]?.advice ?? '', /if all clocks are right by now, do nothing/);
  });

  test('a clock that ran ahead is found while writes are refused because of it', async (t) => {
    const place = await open(t);
    const ahead = Math.floor(Date.now() / 1000) + 7200;
    await place.sql("update counter set value = ? where name = 'purged_through'", BigInt(ahead));
    const found = (replay: Settings['replay']) =>
      examinePlace(place, { settings: { ...place.settings, replay } });
    assertFound(await found('write'), 'error', 'clock', /^every write is refused until 20/);
    assertFound(
      await found('nonce'),
      'error',
      'clock',
      /^every write and every signed read is refused until 20/,
    );
    const underOff = (await found('off')).filter(({ message }) => message.includes('refused until'));
    assert.deepEqual(
      underOff.map(({ level, message }) => [level, message.replace(/20\S+Z$/, '…')]),
      [
        [
          'note',
          'writes are accepted because of --replay off; under another rule, every write is refused until …',
        ],
      ],
    );
  });

  test('writes refused for the minutes after a restore are no error, and nothing to reset', async (t) => {
    const place = await open(t);
    const soon = Math.floor(Date.now() / 1000) + 150;
    await place.sql("update counter set value = ? where name = 'purged_through'", BigInt(soon));
    const findings = await examinePlace(place);
    assertFound(findings, 'warning', 'clock', /every write is refused until 20\S+, as after a restore/);
    assert(!JSON.stringify(findings).includes('claims reset'));
  });

  test('a secret that the key does not open, and a wrong key, are found', async (t) => {
    const place = await open(t);
    await place.sql('update application_secret set sealed = ? where app_id = ?', Buffer.alloc(60), 'app-x');
    assertFound(
      await examinePlace(place),
      'error',
      'secrets',
      /does not open 1 sealed value: secret \d+ of app-x/,
    );
    const wrong = { environment: { FIELDROSTER_MASTER_KEY: 'ab'.repeat(32) } };
    assertFound(await examinePlace(place, wrong), 'error', 'secrets', /does not open 2 sealed values/);
  });

  test('a directory without sealed values has a master key or none, which opens nothing yet', async (t) => {
    const place = await open(t);
    await place.sql("delete from setting where name in ('master_key_proof', 'keyed_hash_key')");
    await place.sql('delete from application_secret');
    const secrets = async () => (await examinePlace(place)).filter(({ check }) => check === 'secrets');
    const [found] = await secrets();
    assert.match(found?.message ?? '', /^a valid master key is in .*master\.key$/);
    rmSync(join(place.data, 'master.key'));
    assertFound(await secrets(), 'note', 'secrets', /^there is no master key in /);
  });

  test('an accepted write without its audit row is found', async (t) => {
    const place = await open(t);
    await place.sql("delete from audit_event where request_id = 'r-1'");
    const findings = await examinePlace(place);
    assertFound(
      findings,
      'error',
      'audit',
      /1 of 1 accepted write has no audit row: the write of request r-1/,
    );
    assert.equal(exitCodeOf(findings), 2);
  });

  test('the audit check counts the accepted writes on record, and says if there are none', async (t) => {
    const place = await open(t);
    const said = async () =>
      (await examinePlace(place)).find(({ check }) => check === 'audit')?.message ?? 'nothing';
    assert.equal(await said(), 'the one accepted write on record has its audit row');
    await place.sql('delete from accepted_write');
    assert.equal(await said(), 'no accepted write is on record now, so there is nothing to compare');
  });

  test('organizations in a cycle are found', async (t) => {
    const place = await open(t);
    for (const [id, parent] of [
      [1, 2],
      [2, 1],
      [3, 1],
      [4, 5],
    ] as const) {
      await place.sql(
        'insert into org (tenant_id, id, name, parent_id) values (1, ?, ?, ?)',
        BigInt(id),
        'x',
        BigInt(parent),
      );
    }
    const findings = await examinePlace(place);
    assertFound(findings, 'error', 'organizations', /^3 organizations .*organization 1 of tenant 1/);
    assertFound(findings, 'error', 'orphans', /^org refers to a missing org: 1 row \(.*parent_id 5/);
  });

  test('missing migrations, and those of a newer release, are found', async (t) => {
    const place = await open(t);
    await place.sql("insert into kysely_migration (name, timestamp) values ('999-newer', '')");
    assertFound(
      await examinePlace(place, { quick: true }),
      'warning',
      'schema',
      /newer release \(999-newer\)/,
    );
    await place.sql("update setting set value = '999-newer' where name = 'serves_from_migration'");
    const unservable = await examinePlace(place, { quick: true });
    assertFound(
      unservable,
      'error',
      'schema',
      /newer release \(999-newer\), and this release cannot serve them$/,
    );
    assert.ok(!JSON.stringify(unservable).includes('could not be carried out'));
    await place.sql("delete from kysely_migration where name in ('999-newer', '004-keys')");
    assertFound(await examinePlace(place, { quick: true }), 'error', 'schema', /the tables lack 004-keys/);
  });

  test('a rotation that was left unfinished, and a process that lacks the current key, are found', async (t) => {
    const place = await open(t);
    await place.sql("insert into setting (name, value) values ('master_key_next', 'YWFhYWFhYWFhYQ==')");
    await place.sql(
      'insert into key_holder (process_id, host, pid, place, key_ids, seen_at) values (?, ?, ?, ?, ?, ?)',
      ...['p', 'node-b', 7n, 'elsewhere', '["0000000000000000"]', BigInt(Date.now())],
    );
    const findings = await examinePlace(place, { quick: true });
    assertFound(findings, 'warning', 'secrets', /a rotation to the key 6161616161616161 is not complete/);
    assertFound(findings, 'error', 'secrets', /process 7 on node-b .*lacks the current key/);
  });

  test('references that no engine enforces are checked: sessions, links, events, erasures and daily counts', async (t) => {
    const place = await open(t);
    await place.sql(`insert into operator_link (token_hash, role, all_tenants, tenant_ids, expires_at, made_by)
      values ('h', 'viewer', 0, '["8"]', 9000000000000, 9)`);
    await place.sql(
      "insert into operator_event (at, operator_id, operation, changes) values (1, 9, 'x', '{}')",
    );
    await place.sql("insert into erasure (tenant_id, user_id, username_hash, at) values (8, 1, 'x', 1)");
    const findings = await examinePlace(place);
    assertFound(findings, 'error', 'orphans', /^operator_link refers to a missing operator/);
    assertFound(findings, 'error', 'orphans', /^operator_link refers to a missing tenant/);
    assertFound(findings, 'warning', 'orphans', /^operator_event refers to a missing operator/);
    assertFound(findings, 'warning', 'orphans', /^erasure refers to a missing tenant/);
  });

  test('a backup that is too old is found', async (t) => {
    const place = await open(t);
    const lastAt = (atMs: number) => ({
      findLastBackup: async () => ({ atMs, file: '/backups/one' }),
      quick: true,
    });
    assertWell(await examinePlace(place, lastAt(Date.now())));
    const recent = await examinePlace(place, lastAt(Date.now() - 3_600_000));
    const { message } = recent.find(({ check }) => check === 'backup') ?? {};
    assert.equal(message, 'the last backup is 60 minutes old: /backups/one');
    const old = await examinePlace(place, lastAt(Date.now() - 100 * 3_600_000));
    assertFound(old, 'warning', 'backup', /the last backup is 100 hours old: \/backups\/one/);
    assert.equal(exitCodeOf(old), 1);
  });

  test('a backup made by hand counts as the last one, whatever its name', async (t) => {
    const place = await open(t);
    const recorded = { atMs: Date.now() - 100 * 3_600_000, file: join(place.folder, 'gone.backup') };
    const file = join(place.folder, 'before the upgrade');
    await makeBackup(place.settings, file, { release: '0.1.0', verify: false });
    for (const more of [
      { backupFolder: place.folder },
      // Without a folder that somebody named, backups are looked for where the last known one was made.
      { findLastBackup: async () => recorded },
    ]) {
      const now = () => Date.now() + 3 * 3_600_000;
      const found = backupFindings(await examinePlace(place, { ...more, now, quick: true }));
      assert.deepEqual(found, [
        {
          check: 'backup',
          level: 'note',
          message: `the last backup is 3 hours old: ${file}; there is no record that it can be restored`,
          advice: `find out with: fieldroster backup verify '${file}'`,
          said: { key: 'backupFound', values: { hours: 3, minutes: 180, file } },
          advised: { key: 'verifyBackup', values: { file: `'${file}'`, isOld: false } },
        },
      ]);
    }
    const old = () => Date.now() + 60 * 3_600_000;
    const more = { backupFolder: place.folder, now: old, quick: true };
    assertFound(await examinePlace(place, more), 'warning', 'backup', /^the last backup is 60 hours old/);
  });

  test('a verified backup that is newer than those in the folder stays the last one', async (t) => {
    const place = await open(t);
    const file = join(place.folder, 'older');
    await makeBackup(place.settings, file, { release: '0.1.0', verify: false });
    const findLastBackup = async () => ({ atMs: Date.now(), file: '/backups/one' });
    const found = await examinePlace(place, { findLastBackup, backupFolder: place.folder, quick: true });
    assert.deepEqual(
      backupFindings(found).map(({ level, message }) => [level, message]),
      [['ok', 'the last backup is 0 minutes old: /backups/one']],
    );
  });

  test('a backup dated in the future is a warning, and does not hide another', async (t) => {
    const place = await open(t);
    const file = join(place.folder, 'one');
    await makeBackup(place.settings, file, { release: '0.1.0', verify: false });
    const examineAt = async (nowMs: number, recordedMs?: number) => {
      const recorded = recordedMs === undefined ? undefined : { atMs: recordedMs, file: '/backups/recorded' };
      const more = { findLastBackup: async () => recorded, now: () => nowMs, quick: true };
      const found = await examinePlace(place, { ...more, backupFolder: place.folder });
      return backupFindings(found).map(({ level, message }) => `${level}: ${message}`);
    };
    const [nowMs, days] = [Date.now(), 86_400_000];
    const aheadMs = nowMs + 3 * days;
    assert.match(
      `${await examineAt(nowMs - 3 * days)}`,
      /^warning: the last backup is dated 20.*Z, in the future: .*one; a clock was ahead, or this one is behind$/,
    );
    const [beside, ...recordedOnes] = await examineAt(nowMs, aheadMs);
    assert.match(`${beside}`, /^note: the last backup is 0 minutes old: .*one; there is no record/);
    const dated = new Date(aheadMs).toISOString();
    const recordedAhead = new RegExp(
      `^warning: the last verified backup is dated ${dated}, in the future: /backups/recorded; `,
    );
    // FieldrosterBackupInFuture is raised because of it.
    assert.match(recordedOnes.join(), recordedAhead);
    const earlierMs = nowMs - 3 * days;
    assert.deepEqual(await examineAt(earlierMs, earlierMs), [
      'ok: the last backup is 0 minutes old: /backups/recorded',
    ]);
    assert.match(`${await examineAt(earlierMs, aheadMs)}`, recordedAhead);
  });

  test('a backup of another directory is not the last one of this one', async (t) => {
    const [place, other] = [await open(t), await open(t)];
    await makeBackup(other.settings, join(place.folder, 'x'), { release: '0.1.0', verify: false });
    const found = await examinePlace(place, { backupFolder: place.folder, quick: true });
    assert.deepEqual(
      backupFindings(found).map(({ message }) => message),
      ['no backup is known'],
    );
  });

  test('a folder of backups that cannot be read is a warning, and an error if the schedule needs it', async (t) => {
    const place = await open(t);
    const backupFolder = join(place.folder, 'missing');
    const named = await examinePlace(place, { backupFolder, quick: true });
    assertFound(
      named,
      'warning',
      'backup',
      /^the folder of the backups .*missing cannot be read: it does not exist$/,
    );
    const settings = { ...place.settings, backupEveryMs: 3_600_000, backupTo: backupFolder };
    const scheduled = await examinePlace({ ...place, settings }, { quick: true });
    assertFound(
      scheduled,
      'error',
      'backup',
      /^the folder of the backups .*missing cannot be used: it does not exist$/,
    );
  });
}

describe('on SQLite', () => {
  registerOnBothEngines((t) => openPlace(t));

  test('the disk of the backups is looked at once if it is that of the database', async (t) => {
    const place = await openPlace(t);
    const findings = await examinePlace(place, { backupFolder: place.folder, quick: true });
    assert.equal(findings.filter(({ check }) => check === 'disk space').length, 1);
  });

  test('files that others may read are found: a warning in a private folder, an error in an open one', async (t) => {
    const place = await openPlace(t);
    chmodSync(join(place.data, 'fieldroster.db'), 0o644);
    assertFound(
      await examinePlace(place, { quick: true }),
      'warning',
      'file modes',
      /fieldroster\.db has mode 0644/,
    );
    chmodSync(place.data, 0o755);
    assertFound(
      await examinePlace(place, { quick: true }),
      'error',
      'file modes',
      /any user of this machine/,
    );
  });

  test('dangling bindings are found by the engine and by the pages', async (t) => {
    const place = await openPlace(t);
    await place.sql('insert into user_store (tenant_id, user_id, store_code) values (1, 1, ?)', 'gone');
    await place.sql('insert into user_role (tenant_id, user_id, role_id) values (1, 77, 5)');
    const findings = await examinePlace(place);
    assertFound(findings, 'error', 'foreign keys', /^3 foreign keys do not hold: .*a row of user_role/);
    assertFound(
      findings,
      'error',
      'orphans',
      /^user_store refers to a missing store: 1 row \(tenant_id 1, user_id 1, store_code gone\)/,
    );
    assertFound(findings, 'error', 'orphans', /^user_role refers to a missing user: 1 row/);
    assertFound(findings, 'error', 'orphans', /^user_role refers to a missing role: 1 row/);
  });

  test('access, links and sessions of missing operators and tenants are found', async (t) => {
    const place = await openPlace(t);
    await place.sql('insert into operator_tenant (operator_id, tenant_id) values (7, 8)');
    await place.sql(`insert into operator_link (token_hash, operator_id, role, all_tenants, tenant_ids, expires_at, made_by)
      values ('hash-of-link', 7, 'viewer', 0, '["8","1"]', 9000000000000, 9)`);
    await place.sql("insert into store (tenant_id, code, name, address) values (8, 'N-1', 'x', 'x')");
    const findings = await examinePlace(place);
    for (const words of [
      /^operator_tenant refers to a missing operator: 1 row \(operator_id 7, tenant_id 8\)$/,
      /^operator_tenant refers to a missing tenant: 1 row/,
      /^operator_link refers to a missing operator: 1 row \(operator_id 7\)$/,
      /^operator_link refers to a missing operator: 1 row \(made_by 9\)$/,
      /^operator_link refers to a missing tenant: 1 row \(tenant_ids 8\)$/,
      /^store refers to a missing tenant: 1 row/,
    ]) {
      assertFound(findings, 'error', 'orphans', words);
    }
    assert.ok(!JSON.stringify(findings).includes('hash-of-link'));
  });

  test('records of the bookkeeping that refer to something missing are a warning', async (t) => {
    const place = await openPlace(t);
    const file = join(place.data, 'fieldroster-bookkeeping.db');
    using bookkeeping = new DatabaseSync(file);
    bookkeeping.exec("insert into operator_session values ('hash-of-session', 7, 1, 1, null, null)");
    bookkeeping.exec('insert into entry_count (tenant_id, day, at) values (8, 1, 1)');
    bookkeeping.close();
    const findings = await examinePlace(place);
    assertFound(findings, 'warning', 'orphans', /^operator_session refers to a missing operator: 1 row/);
    assertFound(findings, 'warning', 'orphans', /^entry_count refers to a missing tenant: 1 row/);
    assert.equal(exitCodeOf(findings), 1);
    assert.ok(!JSON.stringify(findings).includes('hash-of-session'));
    writeFileSync(file, 'the server replaces a damaged bookkeeping');
    const ofDamaged = await examinePlace(place);
    assertFound(ofDamaged, 'warning', 'bookkeeping', /is damaged/);
    assert.ok(!ofDamaged.some(({ check, level }) => check === 'orphans' && level === 'warning'));
    rmSync(file);
    assertWell(await examinePlace(place));
  });

  test('orphans are found on every page', async (t) => {
    const place = await openPlace(t);
    await place.sql(`with recursive n (i) as (select 1 union all select i + 1 from n where i < 25000)
      insert into user_store select 1, 1, i from n`);
    await place.sql(
      'insert into store (tenant_id, code, name, address) select tenant_id, store_code, 1, 1 from user_store',
    );
    for (const code of ['10000', '24999', '9999']) await place.sql('delete from store where code = ?', code);
    assertFound(
      await examinePlace(place),
      'error',
      'orphans',
      /^user_store refers to a missing store: 3 rows/,
    );
  });

  test('a list of erasures that a restore could not apply is found', async (t) => {
    const place = await openPlace(t);
    const path = join(place.data, 'erasures.jsonl');
    writeFileSync(path, '{"tenant_id":"1"\n');
    const cut =
      /^a restore could not apply the list of erasures: .*erasures\.jsonl, line 1 is not an erasure/;
    assertFound(await examinePlace(place, { quick: true }), 'error', 'backup', cut);
    rmSync(path);
    mkdirSync(path);
    const folder = /^a restore could not apply the list of erasures: .*erasures\.jsonl is a folder/;
    assertFound(await examinePlace(place, { quick: true }), 'error', 'backup', folder);
  });

  test('settings that contradict each other are found', async (t) => {
    const place = await openPlace(t);
    const settings = {
      ...place.settings,
      databaseReplica: 'postgres://u@127.0.0.1/n',
      databaseInsecure: true,
      bodyBytesMax: 2_000_000,
      batchBodyBytesMax: 1_000_000,
      connectionsMax: 1_000_000_000,
      workers: availableParallelism() + 1,
      replay: 'off' as const,
      drainSeconds: 11,
    };
    const given = { FIELDROSTER_MASTER_KEY: 'cd'.repeat(32) };
    const findings = await examine({
      settings,
      environment: given,
      environmentWarnings: ['ignoring X'],
      memory: memoryOf(1e12),
      quick: true,
    });
    for (const words of [
      /--database-replica is set, but there is no --database/,
      /--database-insecure is set, but there is no --database/,
      /--batch-body-limit \(1000000 bytes\) is below --body-limit/,
      /--workers is \d+, but this machine has \d+ cores?;/,
      /under --replay off, a signed write that is sent again takes effect again/,
      /nothing uses the different key in/,
      /ignoring X/,
    ]) {
      assertFound(findings, 'warning', 'settings', words);
    }
    assertFound(findings, 'note', 'settings', /with --drain 11, a stop may take 61 seconds/);
    if (process.platform === 'linux')
      assertFound(
        findings,
        'warning',
        'settings',
        /^serve would accept 1000000000 connections, but a process may open only \d+ files$/,
      );
  });

  test('connections that the memory does not allow need no files', async (t) => {
    const place = await openPlace(t);
    const settings = { ...place.settings, connectionsMax: 1_000_000_000 };
    const findings = await examinePlace({ ...place, settings }, { memory: memoryOf(16), quick: true });
    assert.ok(!findings.some(({ message }) => /may open only/.test(message)));
  });

  test('settings with which serve would not start are errors', async (t) => {
    const place = await openPlace(t);
    const settings = { ...place.settings, backupEveryMs: 3_600_000, metrics: '127.0.0.1:8080' };
    const findings = await examinePlace({ ...place, settings }, { quick: true });
    for (const words of [
      /^serve does not start: --backup-every needs the folder of the backups$/,
      /^serve does not start: --port and --metrics are both 8080$/,
    ])
      assertFound(findings, 'error', 'settings', words);
  });

  test('backups beside the master key are found', async (t) => {
    const place = await openPlace(t);
    const settings = { ...place.settings, backupEveryMs: 3_600_000, backupTo: `${place.data}/.` };
    const words = /a backup lies beside the master key/;
    const key = join(place.data, 'master.key');
    if (!existsSync(key)) writeFileSync(key, 'ab'.repeat(32), { mode: 0o600 });
    assertFound(await examinePlace({ ...place, settings }, { quick: true }), 'warning', 'settings', words);
    rmSync(key);
    const without = await examinePlace({ ...place, settings }, { quick: true });
    assert.ok(!without.some(({ message }) => words.test(message)));
  });

  test('a master key among the backups is found, whatever its name', async (t) => {
    const place = await openPlace(t);
    const backupFolder = join(place.folder, 'with-key');
    mkdirSync(backupFolder);
    writeFileSync(join(backupFolder, 'notes'), 'no key');
    const words = /with-key\/old looks like a master key, beside the backups whose secrets it may open;/;
    const examineHere = () => examinePlace(place, { backupFolder, quick: true });
    assert.ok(!(await examineHere()).some(({ message }) => words.test(message)));
    for (const text of ['ab'.repeat(32), `${Buffer.alloc(32, 7).toString('base64')}\n`]) {
      writeFileSync(join(backupFolder, 'old'), text);
      assertFound(await examineHere(), 'warning', 'backup', words);
    }
  });

  test('a damaged key file is found', async (t) => {
    const place = await openPlace(t);
    writeFileSync(join(place.data, 'master.key'), 'no key');
    assertFound(await examinePlace(place, { quick: true }), 'error', 'secrets', /must contain 32 bytes/);
  });
});

describe('on PostgreSQL', () => {
  let postgres: TestPostgres;
  before(async () => {
    postgres = await openTestPostgres();
  });
  after(() => postgres.stop());
  const openHere = async (t: TestContext) => openPlace(t, await postgres.createMigratedDatabase());
  registerOnBothEngines(openHere);

  test("the disk of the backups is looked at, although PostgreSQL's own cannot be seen", async (t) => {
    const place = await openHere(t);
    const findings = await examinePlace(place, { backupFolder: place.folder, quick: true });
    const [own, ofBackups, ...more] = findings.filter(({ check }) => check === 'disk space');
    assert.match(own?.message ?? '', /^the disk of PostgreSQL cannot be seen/);
    assert.match(ofBackups?.message ?? '', /^\d+ [GM]iB free in .*\/backups, where backups are made$/);
    assert.deepEqual(more, []);
  });

  test('commits that do not wait for the disk are a warning, because a crash can lose acknowledged writes', async (t) => {
    const place = await openHere(t);
    const name = new URL(place.settings.database ?? '').pathname.slice(1);
    await place.sql(`alter database ${name} set synchronous_commit = off`);
    const findings = await examinePlace(place, { quick: true });
    assertFound(findings, 'warning', 'schema', /runs with synchronous_commit off, so a power cut can lose/);
    await place.sql(`alter database ${name} set synchronous_commit = local`);
    assertWell(await examinePlace(place, { quick: true }));
  });

  test('a table that the role may not read, and rows that row security hides, are found', async (t) => {
    const place = await openHere(t);
    const limited = await limitedRole(t, place);
    const { username: role } = new URL(limited.settings.database ?? '');
    assertWell(await examinePlace(limited, { quick: true }));
    await place.sql(`revoke select, update on "user" from ${role}`);
    await place.sql('alter table store enable row level security');
    const expected = `: row security hides rows of store from ${role}; ${role} may not select, update user`;
    assertFound(await examinePlace(limited, { quick: true }), 'error', 'schema', new RegExp(expected));
  });

  test('tables that the search_path hides are reported once, with where they are', async (t) => {
    const place = await openHere(t);
    const url = new URL(place.settings.database ?? '');
    url.searchParams.set('options', '-c search_path=elsewhere');
    const settings = { ...place.settings, database: url.href };
    const findings = await examinePlace({ ...place, settings }, { quick: true });
    assertFound(
      findings,
      'error',
      'database',
      /^the tables of Fieldroster are in the schema public, but the/,
    );
    assert.equal(findings.filter(({ level }) => level === 'error').length, 1);
    await assert.rejects(
      openDirectory({ ...settings, environment }),
      /^SchemaError: the tables of Fieldroster are in the schema public, .* set search_path to public/,
    );
  });

  test('a database that refuses the connection says why, and its name and password are not blamed', async (t) => {
    const place = await openHere(t);
    const { database = '' } = place.settings;
    const main = new URL('/postgres', database).href;
    const name = new URL(database).pathname.slice(1);
    const limited = await limitedRole(t, place);
    const told = async () => {
      const findings = await examinePlace(limited, { quick: true });
      const found = findings.find(({ check }) => check === 'database');
      return `${found?.message} → ${found?.advice}`;
    };
    for (const [url, text, words] of [
      [main, 'with connection limit 0', /too many connections .*; raise max_connections .* or lower/],
      [main, 'with allow_connections false', /not currently accepting connections; let it accept/],
      [main, 'with connection limit -1 allow_connections true', undefined],
      [
        main,
        'set default_transaction_read_only = on',
        /default_transaction_read_only is on; let it take writes/,
      ],
      [main, 'reset default_transaction_read_only', undefined],
      [database, undefined, /may use no schema that its search_path names: .* grant the role usage/],
    ] as const) {
      await runSql(url, text ? `alter database ${name} ${text}` : 'revoke all on schema public from public');
      if (words === undefined) continue;
      assert.match(await told(), words);
      assert.match(await told(), /→ then run the doctor again$/);
    }
  });

  test('an order of changes that its triggers did not keep is found, and repaired by a migration', async (t) => {
    const place = await openHere(t);
    const healthy = await examinePlace(place);
    assertWell(healthy);
    await place.sql('alter table "user" disable trigger user_change_moved');
    await place.sql('drop trigger user_change on "user"');
    await place.sql('update "user" set updated_at = updated_at + 1');
    const findings = await examinePlace(place);
    assertFound(
      findings,
      'error',
      'schema',
      /order of changes is not kept up to date, .*: .*user_change is missing; user_change_moved is disabled/,
    );
    assertFound(
      findings,
      'error',
      'change order',
      /updated_since\) .*: 2 differences \(.*last change of user 1 of tenant 1 is not listed; user 1 of tenant 1 is listed at a wrong time/,
    );
    assertFound(await examinePlace(place, { quick: true }), 'error', 'schema', /order of changes/);
    const options = { ...place.settings, environment };
    assert.deepEqual(await repairDirectory(options), ['the order of changes and its triggers']);
    assertWell(await examinePlace(place));
    await place.sql('update "user" set updated_at = updated_at + 1');
    assertWell(await examinePlace(place));
    assert.deepEqual(await repairDirectory(options), []);
  });

  test('a reference that is not enforced, an invalid index and too many connections are found', async (t) => {
    const place = await openHere(t);
    await place.sql('alter table user_role drop constraint user_role_role_fk');
    await place.sql('insert into user_role (tenant_id, user_id, role_id) values (1, 1, 5)');
    await place.sql(
      'alter table user_role add constraint user_role_role_fk foreign key (tenant_id, role_id) references role (tenant_id, id) not valid',
    );
    await place.sql(
      "update pg_index set indisvalid = false where indexrelid = 'user_by_department'::regclass",
    );
    const settings = { ...place.settings, workers: 100, databasePoolSize: 10 };
    const findings = await examinePlace({ ...place, settings });
    assertFound(findings, 'error', 'foreign keys', /user_role\.user_role_role_fk is not enforced/);
    assertFound(findings, 'error', 'orphans', /^user_role refers to a missing role: 1 row/);
    assertFound(findings, 'error', 'integrity', /the index user_by_department is invalid/);
    assertFound(findings, 'warning', 'settings', /open up to 1100 connections, but PostgreSQL accepts \d+/);
  });

  test('an invalid index is found in a schema whose name has capital letters', async (t) => {
    const place = await openHere(t);
    const name = new URL(place.settings.database ?? '').pathname.slice(1);
    await place.sql('alter schema public rename to "Field"');
    await place.sql(`alter database ${name} set search_path = "Field"`);
    assertWell(await examinePlace(place));
    const index = `'"Field".user_by_department'::regclass`;
    await place.sql(`update pg_index set indisvalid = false where indexrelid = ${index}`);
    assertFound(await examinePlace(place), 'error', 'integrity', /the index user_by_department is invalid/);
  });
});

/** Makes a role that may use the tables but does not own them, and returns the place for a server with it. */
async function limitedRole(t: TestContext, place: ExaminedDirectory): Promise<ExaminedDirectory> {
  const role = `server_${randomBytes(4).toString('hex')}`;
  await place.sql(`create role ${role} login password 'x'`);
  t.after(async () => {
    await place.sql(`drop owned by ${role}`);
    await place.sql(`drop role ${role}`);
  });
  await place.sql(`grant all on all tables in schema public to ${role}`);
  const url = new URL(place.settings.database ?? '');
  [url.username, url.password] = [role, 'x'];
  return { ...place, settings: { ...place.settings, database: url.href } };
}
