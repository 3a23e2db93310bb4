import { limits } from '@fieldroster/contract';
import { sql } from 'kysely';
import { nextSlice, TimeSlice } from '../../../slices/time-slice.ts';
import type { Actor, AuditEntry, ListPosition } from '../../database.ts';
import { compileOnce } from '../compile-once.ts';
import { parseStoredJson } from '../parse-stored-json.ts';
import type { Schema } from '../schema.ts';
import type { Session } from '../session.ts';
import { encodeIds, idColumns } from './id-rows.ts';

/**
 * Bytes of changes read at once. A single row may have more: one that replaces 50,000 stores of a user by others may
 * have 40 MB.
 */
export const changeBytesMax = 4 * 1024 * 1024;

/** Changes up to this size, in bytes, are read together with their rows. A page of them stays within the limit. */
export const smallBytesMax = Math.floor(changeBytesMax / limits.pageEntriesMax);

/** An audit row and the size of its changes. */
export interface MeasuredRow {
  readonly id: bigint;
  readonly bytes: bigint;
}

/** Removes the first rows: as many as one statement may read the changes of, at least one. */
export function takeGroup<Row extends MeasuredRow>(rows: Row[]): Row[] {
  let bytes = 0;
  const end = rows.findIndex((row, index) => {
    bytes += Number(row.bytes);
    return index > 0 && bytes > changeBytesMax;
  });
  return rows.splice(0, end === -1 ? rows.length : end);
}

interface Fetched {
  readonly entries: readonly AuditEntry[];
  /** Size of their changes. */
  readonly bytes: number;
  /** The position of the last row, if those after it were left out because of their size. */
  readonly cutAfter?: ListPosition;
}

/** Fetches the rows that exist, in the order of the ids, until their changes would exceed the limit; at least one. */
export async function fetchInOrder(
  session: Session,
  tenantId: bigint,
  ids: readonly bigint[],
): Promise<Fetched> {
  const rows = new Map((await fetchRows(session, tenantId, ids)).map((row) => [row.id, row]));
  return complete(
    session,
    ids.flatMap((id) => rows.get(id) ?? []),
  );
}

/** Fetches the rows that exist, smallest first, until their changes would exceed the limit; at least one. */
export async function fetchSmallest(
  session: Session,
  tenantId: bigint,
  ids: readonly bigint[],
): Promise<readonly AuditEntry[]> {
  const rows = await fetchRows(session, tenantId, ids);
  return (
    await complete(
      session,
      rows.sort((a, b) => Number(a.bytes - b.bytes)),
    )
  ).entries;
}

interface AuditRow extends Omit<Schema['audit_event'], 'id' | 'tenant_id' | 'changes'> {
  readonly id: bigint;
  readonly bytes: bigint;
  /** Null if they are large. */
  readonly changes: string | null;
}

async function fetchRows(session: Session, tenantId: bigint, ids: readonly bigint[]): Promise<AuditRow[]> {
  return ids.length === 0 ? [] : selectRows(session, { tenantId, ids: encodeIds(ids) });
}

/**
 * Neither engine reads a text to learn its length in bytes. Joins from the ids to the rows; the other way round, SQLite
 * would read every row of the tenant.
 */
const selectRows = compileOnce((db, value: { tenantId: bigint; ids: string }, engine) =>
  db
    .selectFrom(engine.rowTable(value.ids, idColumns))
    .crossJoin('audit_event as event')
    .select(['event.id', 'event.at', 'event.app_id', 'event.request_id', 'event.operation'])
    .select(['event.user_id', 'event.actor', sql<bigint>`octet_length(event.changes)`.as('bytes')])
    .select(
      sql<string | null>`case when octet_length(event.changes) <= ${sql.lit(smallBytesMax)}
        then event.changes end`.as('changes'),
    )
    .whereRef('event.id', '=', sql.ref('given.id'))
    .where('event.tenant_id', '=', value.tenantId),
);

const selectChanges = compileOnce((db, value: { ids: string }, engine) =>
  db
    .selectFrom(engine.rowTable(value.ids, idColumns))
    .crossJoin('audit_event as event')
    .select('event.id')
    .select(engine.largeText('event.changes').as('changes'))
    .whereRef('event.id', '=', sql.ref('given.id')),
);

/** Reads the changes of the first rows, in slices of time. */
async function complete(session: Session, rows: readonly AuditRow[]): Promise<Fetched> {
  const { fitting, bytes } = takeFitting(rows);
  const large = await readLarge(session, fitting);
  const timeSlice = new TimeSlice(nextSlice);
  const entries: AuditEntry[] = [];
  for (const row of fitting) {
    const changes = row.changes ?? large.get(row.id);
    // A row may be gone by now.
    if (changes !== undefined)
      entries.push(toAuditEntry(row, (await parseStoredJson(changes, timeSlice)) as AuditEntry['changes']));
    if (timeSlice.isOver()) await timeSlice.next();
  }
  const last = fitting.length < rows.length ? fitting.at(-1) : undefined;
  return { entries, bytes, ...(last && { cutAfter: { at: last.at, id: last.id } }) };
}

function takeFitting(rows: readonly AuditRow[]) {
  const fitting: AuditRow[] = [];
  let bytes = 0;
  for (const row of rows) {
    const more = Number(row.bytes);
    if (fitting.length > 0 && bytes + more > changeBytesMax) break;
    fitting.push(row);
    bytes += more;
  }
  return { fitting, bytes };
}

async function readLarge(
  session: Session,
  rows: readonly AuditRow[],
): Promise<ReadonlyMap<bigint, string | Uint8Array>> {
  const ids = rows.filter(({ changes }) => changes === null).map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const read = await selectChanges(session, { ids: encodeIds(ids) });
  return new Map(read.map(({ id, changes }) => [id, changes]));
}

function toAuditEntry(row: AuditRow, changes: AuditEntry['changes']): AuditEntry {
  return {
    id: row.id,
    atMs: row.at,
    ...(row.app_id !== null && { appId: row.app_id }),
    ...(row.request_id !== null && { requestId: row.request_id }),
    operation: row.operation,
    ...(row.user_id !== null && { userId: row.user_id }),
    changes,
    ...(row.actor !== null && { actor: JSON.parse(row.actor) as Actor }),
  };
}
