import { type RawBuilder, sql } from 'kysely';
import { type Faults, faultsCountedMax, type Orphans } from '../../database.ts';
import type { Session } from '../session.ts';
import { faultsOf } from './faults.ts';
import type { Reference } from './references.ts';

const pageRows = 10_000;

type Row = Record<string, unknown>;

/** Finds the rows whose reference leads nowhere, table by table and page by page. */
export async function findOrphans(
  session: Session,
  references: readonly Reference[],
): Promise<readonly Orphans[]> {
  const found: Orphans[] = [];
  for (const reference of references) {
    const faults = await findOrphansOf(session, reference);
    if (faults.count === 0) continue;
    const { table, target, isRecord = false } = reference;
    found.push({ ...faults, reference: `${table} refers to a missing ${target}`, isRecord });
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
  return faultsOf(orphans.map((row) => describe(row, reference)));
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

/** The hash of a token would tell an operator nothing. */
function describe(row: Row, { key, columns }: Reference): string {
  return [...new Set([...key, ...columns])]
    .filter((column) => column !== 'token_hash')
    .map((column) => `${column} ${row[column]}`)
    .join(', ');
}
