import { type RawBuilder, sql } from 'kysely';
import { slicesOf } from '../../../slices/slices-of.ts';
import { TimeSlice } from '../../../slices/time-slice.ts';
import type { StoreRecord, StoreRow, StoreUpsert } from '../../database.ts';
import { rowsToJson } from '../rows-json.ts';
import type { RowColumn, Session } from '../session.ts';
import { lockTenant } from '../tenants/lock-tenant.ts';
import { findStoresByCode, lockStoresByCode } from './stores-by-code.ts';
import { optionalStoreTexts, storeRecordNames, storeTexts } from './target-columns.ts';

const columns: readonly RowColumn[] = storeRecordNames.map((name) => ({ name, type: 'text' }));

/** Rows, and characters in them, per statement. */
const rowsSlice = {
  countMax: 1000,
  weightMax: 64 * 1024,
  weightOf: (row: StoreRow) => storeTexts.reduce((sum, name) => sum + (row[name]?.length ?? 0), 0),
};

/**
 * Inserts and updates stores, each code once, in a few statements. No other write can add stores at the same time, and
 * existing ones stay locked, so that the result reported is what happened.
 */
export async function upsertStores(
  session: Session,
  tenantId: bigint,
  rows: readonly StoreRow[],
): Promise<StoreUpsert> {
  await lockTenant(session, tenantId);
  return compareStores(rows, async (chunk, compare) => {
    await session.engine.planForManyRows(session, ['store']);
    const changed = compare(await findStores(session, lockStoresByCode, tenantId, chunk));
    if (changed.length > 0) await writeStores(session, tenantId, changed);
  });
}

/** Returns what {@link upsertStores} would report now, and locks and writes nothing. */
export function planStores(
  session: Session,
  tenantId: bigint,
  rows: readonly StoreRow[],
): Promise<StoreUpsert> {
  return compareStores(rows, async (chunk, compare) => {
    compare(await findStores(session, findStoresByCode, tenantId, chunk));
  });
}

type StoresByCode = ReadonlyMap<string, StoreRecord>;

/** Compares the rows of a chunk with the existing stores, and returns those that are to be written. */
type Compare = (existing: StoresByCode) => StoreRecord[];

async function compareStores(
  rows: readonly StoreRow[],
  workOn: (chunk: readonly StoreRow[], compare: Compare) => Promise<void>,
): Promise<StoreUpsert> {
  const created: StoreRecord[] = [];
  const updated: { before: StoreRecord; after: StoreRecord }[] = [];
  const timeSlice = new TimeSlice();
  for (const chunk of slicesOf(rows, rowsSlice)) {
    await workOn(chunk, (existing) =>
      chunk.flatMap((row) => {
        const before = existing.get(row.code);
        const after = completed(row, before);
        if (before === undefined) created.push(after);
        else if (differs(before, after)) updated.push({ before, after });
        else return [];
        return [after];
      }),
    );
    if (timeSlice.isOver()) await timeSlice.next();
  }
  return { created, updated, unchanged: rows.length - created.length - updated.length };
}

/** Returns the store that a row makes: an absent text stays, or is empty in a new store. */
function completed(row: StoreRow, before: StoreRecord | undefined): StoreRecord {
  const absent = optionalStoreTexts.filter((name) => row[name] === undefined);
  const kept = Object.fromEntries(absent.map((name) => [name, before?.[name] ?? '']));
  return { ...row, ...kept } as StoreRecord;
}

function differs(before: StoreRecord, after: StoreRecord): boolean {
  return storeTexts.some((name) => before[name] !== after[name]);
}

async function findStores(
  session: Session,
  find: typeof findStoresByCode,
  tenantId: bigint,
  rows: readonly StoreRow[],
): Promise<StoresByCode> {
  const codes = session.engine.encodeTexts(rows.map(({ code }) => code));
  const stores = await find(session, { tenantId, codes });
  return new Map(stores.map((store) => [store.code, store]));
}

async function writeStores(
  { db, engine }: Session,
  tenantId: bigint,
  stores: readonly StoreRecord[],
): Promise<void> {
  const json = rowsToJson(stores.map((store) => storeRecordNames.map((name) => store[name])));
  const given = engine.rowTable(json, columns);
  const names: RawBuilder<unknown> = sql.join(columns.map(({ name }) => sql.ref(name)));
  const texts = storeTexts.map((name) => sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`);
  // SQLite needs a condition in a select before an upsert; otherwise it takes "on" for a join's.
  await sql`insert into store (tenant_id, ${names}) select cast(${tenantId} as bigint), ${names} from ${given} where true
    on conflict (tenant_id, code) do update
    set ${sql.join(texts)}, revision = store.revision + 1`.execute(db);
}
