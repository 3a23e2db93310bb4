import { type RawBuilder, sql } from 'kysely';
import { type Faults, faultsCountedMax } from '../../database.ts';
import type { Session } from '../session.ts';

/** Columns of a table that refer to columns of another one. */
interface Reference {
  readonly table: string;
  /** The primary key, by which the table is read in pages. */
  readonly key: readonly string[];
  readonly columns: readonly string[];
  readonly target: string;
  readonly targetColumns: readonly string[];
}

const toUser = { target: 'user', targetColumns: ['tenant_id', 'id'] } as const;
const ofUserRole = { table: 'user_role', key: ['tenant_id', 'user_id'] } as const;
const ofUserOrg = { table: 'user_org', key: ['tenant_id', 'user_id'] } as const;
const ofUserStore = { table: 'user_store', key: ['tenant_id', 'user_id', 'store_code'] } as const;

const references: readonly Reference[] = [
  { ...ofUserRole, columns: ['tenant_id', 'user_id'], ...toUser },
  { ...ofUserRole, columns: ['tenant_id', 'role_id'], target: 'role', targetColumns: ['tenant_id', 'id'] },
  { ...ofUserOrg, columns: ['tenant_id', 'user_id'], ...toUser },
  { ...ofUserOrg, columns: ['tenant_id', 'org_id'], target: 'org', targetColumns: ['tenant_id', 'id'] },
  { ...ofUserStore, columns: ['tenant_id', 'user_id'], ...toUser },
  {
    ...ofUserStore,
    columns: ['tenant_id', 'store_code'],
    target: 'store',
    targetColumns: ['tenant_id', 'code'],
  },
  {
    table: 'org',
    key: ['tenant_id', 'id'],
    columns: ['tenant_id', 'parent_id'],
    target: 'org',
    targetColumns: ['tenant_id', 'id'],
  },
  {
    table: 'user',
    key: ['tenant_id', 'id'],
    columns: ['tenant_id'],
    target: 'tenant',
    targetColumns: ['id'],
  },
  { table: 'application', key: ['app_id'], columns: ['tenant_id'], target: 'tenant', targetColumns: ['id'] },
  {
    table: 'application_secret',
    key: ['id'],
    columns: ['app_id'],
    target: 'application',
    targetColumns: ['app_id'],
  },
];

const pageRows = 10_000;

type Row = Record<string, unknown>;

/** Finds the rows whose reference leads nowhere, table by table and page by page. */
export async function findOrphans(
  session: Session,
): Promise<readonly (Faults & { readonly reference: string })[]> {
  const found: (Faults & { readonly reference: string })[] = [];
  for (const reference of references) {
    const faults = await findOrphansOf(session, reference);
    if (faults.count > 0)
      found.push({ ...faults, reference: `${reference.table} refers to a missing ${reference.target}` });
  }
  return found;
}

async function findOrphansOf({ db }: Session, reference: Reference): Promise<Faults> {
  const orphans: Row[] = [];
  let after: Row | undefined;
  do {
    const end = await endOfPage(db, reference, after);
    const { rows } = await orphansBetween(reference, after, end).execute(db);
    orphans.push(...rows);
    after = end;
  } while (after !== undefined && orphans.length < faultsCountedMax);
  return { count: orphans.length, examples: orphans.slice(0, 5).map(describe) };
}

/** Returns the key of the last row of a full page, or `undefined` for the last page. */
async function endOfPage(
  db: Session['db'],
  { table, key }: Reference,
  after: Row | undefined,
): Promise<Row | undefined> {
  const { rows } = await sql<Row>`select ${list('child', key)} from ${sql.table(table)} as child
    where ${isAfter(key, after)} order by ${list('child', key)} limit 1 offset ${pageRows - 1}`.execute(db);
  return rows[0];
}

function orphansBetween(
  { table, key, columns, target, targetColumns }: Reference,
  after: Row | undefined,
  end: Row | undefined,
): RawBuilder<Row> {
  const until =
    end === undefined
      ? sql`true`
      : sql`(${list('child', key)}) <= (${sql.join(key.map((name) => end[name]))})`;
  const matches = columns.map(
    (name, index) => sql`target.${sql.ref(targetColumns[index] ?? '')} = child.${sql.ref(name)}`,
  );
  const given = columns.map((name) => sql`child.${sql.ref(name)} is not null`);
  return sql<Row>`select ${list('child', [...new Set([...key, ...columns])])} from ${sql.table(table)} as child
    where ${isAfter(key, after)} and ${until} and ${sql.join(given, sql` and `)}
    and not exists (select 1 from ${sql.table(target)} as target where ${sql.join(matches, sql` and `)})
    limit ${faultsCountedMax}`;
}

function isAfter(key: readonly string[], after: Row | undefined): RawBuilder<unknown> {
  if (after === undefined) return sql`true`;
  return sql`(${list('child', key)}) > (${sql.join(key.map((name) => after[name]))})`;
}

function list(alias: string, columns: readonly string[]): RawBuilder<unknown> {
  return sql.join(columns.map((name) => sql.ref(`${alias}.${name}`)));
}

function describe(row: Row): string {
  return Object.entries(row)
    .map(([column, value]) => `${column} ${value}`)
    .join(', ');
}
