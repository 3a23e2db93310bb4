import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { atScale } from '../../../../../../scripts/testing/full-scale.ts';
import {
  createDatabaseWithLocale,
  icuLocale,
  locales,
} from '../../../../test/create-database-with-locale.ts';
import { openTestPostgres, patient, runSql } from '../../../../test/test-postgres.ts';
import { joinPages } from '../../conformance/listed-tenant.ts';
import type { Database, UserFilters } from '../../database.ts';
import type { Session } from '../../queries/session.ts';
import { openSqliteDatabase } from '../../sqlite/open.ts';
import { openPostgresDatabase, openSessionWithoutTimeout } from '../open.ts';

const postgres = await openTestPostgres();
after(() => postgres.stop());

const folder = mkdtempSync(join(tmpdir(), 'fieldroster-search-'));
const sqlite = await openSqliteDatabase({ folder });
after(async () => {
  await sqlite.close();
  rmSync(folder, { recursive: true });
});

async function insertUsers(database: Database, code: string, names: readonly string[]): Promise<bigint> {
  const tenant = await database.tenants.insertTenant(code);
  assert.ok(tenant);
  await database.write(tenant.id, undefined, async (directory) => {
    // No text that is searched for occurs in this username.
    for (const [index, realName] of names.entries())
      await directory.insertUser('~'.repeat(index + 1), { realName });
    return { result: undefined, audit: { operation: 'test', changes: {} } };
  });
  return tenant.id;
}

async function search(database: Database, tenantId: bigint, filters: UserFilters): Promise<string[]> {
  const limit = 3;
  const { lists } = database.directory(tenantId);
  const read = (after: Parameters<typeof lists.listUsers>[0]['after']) =>
    lists.listUsers({ filters, order: 'id', limit, after });
  return (await joinPages(limit, read, false)).map(({ realName }) => realName);
}

/** Letters are alike if their lower case is one character, and the same, or a sigma. */
function lowerCase(text: string): string {
  return [...text]
    .map((letter) => ([...letter.toLowerCase()].length === 1 ? letter.toLowerCase() : letter))
    .join('')
    .replaceAll('ς', 'σ');
}

function expected(names: readonly string[], text: string): string[] {
  return names.filter((name) => lowerCase(name).includes(lowerCase(text)));
}

/** Opens a database that plans for very many users, so that it uses the index for a few. */
async function openLarge(locale: string) {
  const url = await createDatabaseWithLocale(postgres.url, locale);
  await runSql(url, `alter database ${new URL(url).pathname.slice(1)} set enable_seqscan = off`);
  await runSql(url, `alter database ${new URL(url).pathname.slice(1)} set enable_indexscan = off`);
  const database = await openPostgresDatabase({ ...patient, url });
  return { url, database };
}

/** Letters with several upper cases, with none of one character, with two lower cases, and without any. */
const letters = [...'kK\u212asSſåÅ\u212bİıiIßẞΣσςωΩ\u2126ǆǅǄéÉầẦЯяab12 .%张伟🦜\u0301'];

const text = fc
  .array(fc.constantFrom(...letters), { minLength: 1, maxLength: 8 })
  .map((parts) => parts.join(''));

const otherCase = (name: string) => [
  name,
  name.toUpperCase(),
  name.toLowerCase(),
  name.replaceAll(/k/gi, '\u212a'),
];

const named = fc.array(text, { minLength: 1, maxLength: 8 });

for (const [name, locale] of Object.entries({ ...locales, 'ICU in Turkish': icuLocale('tr-TR') })) {
  test(`a search finds the same users as on SQLite, whatever their letters: locale ${name}`, async () => {
    const { database } = await openLarge(locale);
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(named, fc.array(text, { minLength: 4, maxLength: 4 }), async (some, others) => {
        const names = some.flatMap((one) => otherCase(`x${one}y`));
        const code = `${name}-${runs++}`;
        const tenantId = await insertUsers(database, code, names);
        const sqliteTenantId = await insertUsers(sqlite, code, names);
        for (const searched of [...some, ...others].flatMap((one) => [one, ...otherCase(`${one}y`)])) {
          const found = await search(database, tenantId, { search: searched });
          assert.deepEqual(found, expected(names, searched), searched);
          assert.deepEqual(await search(sqlite, sqliteTenantId, { search: searched }), found, searched);
        }
      }),
      { numRuns: atScale({ bounded: 6, full: 60 }) },
    );
    await database.close();
  });
}

const users = 30_000;

/** Adds so many users that their index has hundreds of pages. */
async function plantUsers(url: string, tenantId: bigint): Promise<void> {
  const names = `(array['Mia Kirk', 'Björn Öhman', 'Алла Ким', 'Trần Kiên'])[1 + n % 4] || ' ' || md5(n::text)`;
  await runSql(
    url,
    `insert into "user" select tenant_id, id + n, username || n, ${names}, nickname, gender, email, phone, department,
      avatar, unique_code, ext_info, password_hash, status, without_role, without_org, without_store, revision,
      created_at, updated_at from (select * from "user" where tenant_id = ${tenantId} order by id limit 1) one,
      generate_series(100, ${users}) n`,
  );
  await runSql(url, 'vacuum analyze "user"');
}

interface Plan {
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly Plan[];
}

/** Returns the scans of indexes in a plan. */
function indexScans(plan: Plan): Plan[] {
  return [...(plan['Index Name'] === undefined ? [] : [plan]), ...(plan.Plans ?? []).flatMap(indexScans)];
}

async function readsOfIndex(session: Session, tenantId: bigint, text: string, after?: bigint) {
  const source = await session.engine.search.source(session, tenantId, text);
  const position = after === undefined ? undefined : { at: 0n, id: after };
  const chunk = (await source?.next(position, 10, 0)) ?? assert.fail(`no index for ${text}`);
  const { rows } = await sql<{ 'QUERY PLAN': readonly [{ readonly Plan: Plan }] }>`
    explain (analyze, buffers, format json) ${chunk.scanned}`.execute(session.db);
  const scans = indexScans(rows[0]?.['QUERY PLAN'][0].Plan ?? assert.fail());
  assert.deepEqual([...new Set(scans.map((scan) => scan['Index Name']))], ['user_by_text'], text);
  const sum = (count: (scan: Plan) => number) => scans.reduce((total, scan) => total + count(scan), 0);
  return {
    buffers: sum((scan) => scan['Shared Hit Blocks'] + scan['Shared Read Blocks']),
    entries: sum((scan) => scan['Actual Rows']),
  };
}

const odd = [
  'Mike Ozwald',
  'MI\u212aE OZWALD',
  'Ji\u212a',
  'jik',
  '\u212bSA Qvist',
  'åsa qvist',
  'ÅSA QVIST',
];

for (const [name, locale] of Object.entries(locales)) {
  test(`a search for letters with several upper cases reads little of the index: locale ${name}`, async () => {
    const url = await createDatabaseWithLocale(postgres.url, locale);
    const database = await openPostgresDatabase({ ...patient, url });
    const session = openSessionWithoutTimeout(url, patient.connectTimeoutMs);
    const tenantId = await insertUsers(database, 'default', odd);
    await plantUsers(url, tenantId);
    const [size] = await runSql(url, "select pg_relation_size('user_by_text') / 8192 as pages");
    assert.ok(Number(size?.pages) > 400, `${size?.pages} pages`);
    for (const searched of ['mike', 'MI\u212aE', 'mike o', 'jik', 'åsa q', 'ÅSA QVIST', '\u212bsa qv']) {
      for (const after of [undefined, 1n]) {
        const { buffers, entries } = await readsOfIndex(session, tenantId, searched, after);
        assert.ok(buffers < 60 && entries < 60, `${searched}: ${buffers} pages, ${entries} entries`);
      }
      assert.deepEqual(
        await search(database, tenantId, { search: searched }),
        expected(odd, searched),
        searched,
      );
      const filters = { search: searched, status: 'active', unbound: 'role' } as const;
      assert.deepEqual(await search(database, tenantId, filters), expected(odd, searched), searched);
    }
    await session.db.destroy();
    await database.close();
  });
}
