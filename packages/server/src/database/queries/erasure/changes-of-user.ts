import type { AuditedCommand } from '@fieldroster/contract';
import { sql } from 'kysely';
import type { Erasure } from '../../erasures.ts';
import { type MeasuredRow, takeGroup } from '../lists/audit-rows.ts';
import { encodeIds, idColumns } from '../lists/id-rows.ts';
import type { Session } from '../session.ts';

export interface StoredChanges {
  readonly id: bigint;
  /** JSON. */
  readonly changes: string;
}

/** The operation of an erasure's own audit row, which has no values of a person. */
export const erasureOperation = 'user erase' satisfies AuditedCommand;

/**
 * Reads the changes of a user's audit rows, a few megabytes at a time: all of them together may fill the memory.
 *
 * @param except ids of rows to leave out
 */
export async function* changesOfUser(
  session: Session,
  { tenantId, userId }: Pick<Erasure, 'tenantId' | 'userId'>,
  except: ReadonlySet<bigint> = new Set(),
): AsyncGenerator<StoredChanges, void> {
  const rows = await session.db
    .selectFrom('audit_event')
    .select(['id', bytesOfChanges])
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .where('operation', '!=', erasureOperation)
    .execute();
  yield* readChanges(
    session,
    rows.filter(({ id }) => !except.has(id)),
  );
}

/** The size of an audit row's changes. Neither engine reads them for that. */
export const bytesOfChanges = sql<bigint>`octet_length(changes)`.as('bytes');

/** @param rows those to read; each is removed before its changes are yielded */
export async function* readChanges(
  { db, engine }: Session,
  rows: MeasuredRow[],
): AsyncGenerator<StoredChanges, void> {
  while (rows.length > 0) {
    const ids = encodeIds(takeGroup(rows).map(({ id }) => id));
    yield* await db
      .selectFrom(engine.rowTable(ids, idColumns))
      .crossJoin('audit_event as event')
      .select(['event.id', 'event.changes'])
      .whereRef('event.id', '=', sql.ref('given.id'))
      .execute();
  }
}
