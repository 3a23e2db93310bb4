import { sql } from 'kysely';
import { counted } from '../../../words/counted.ts';
import type { LockHolder } from '../../database.ts';
import type { Session } from '../../queries/session.ts';

interface PreparedRow {
  readonly gid: string;
  readonly role: string;
  readonly prepared: Date;
  readonly waiting: bigint;
}

/** PostgreSQL's modes of locks, the weakest first. */
const lockModes = [
  'AccessShareLock',
  'RowShareLock',
  'RowExclusiveLock',
  'ShareUpdateExclusiveLock',
  'ShareLock',
  'ShareRowExclusiveLock',
  'ExclusiveLock',
  'AccessExclusiveLock',
];

/**
 * For each mode, the place of the first mode from it on that conflicts with it, as do all later ones. Source: "Conflicting
 * Lock Modes" in PostgreSQL's manual, chapter "Explicit Locking".
 */
const conflictsFrom = [8, 7, 5, 4, 6, 6, 7, 8];

/**
 * Finds prepared transactions that have held up sessions for a long time, and others that are older than that. They have
 * no session, and survive a restart. PostgreSQL says that one of them blocks a session, but not which one, so this
 * compares their locks with the one that the session waits for.
 *
 * @param longMs what counts as a long time, in milliseconds
 */
export async function findPreparedHolders({ db }: Session, longMs: number): Promise<readonly LockHolder[]> {
  const { rows } = await sql<PreparedRow>`
    with lately as (select clock_timestamp() - make_interval(secs => ${longMs / 1000}) as at),
    lock as materialized (
      select pid, virtualtransaction, granted, waitstart, transactionid, array_position(${lockModes}::text[], mode) as mode,
        (locktype, database, relation, page, tuple, virtualxid, transactionid, classid, objid, objsubid) as what
      from pg_locks),
    waiting as (
      select pid, what, mode from lock, lately
      where not granted and waitstart < lately.at and 0 = any(pg_blocking_pids(pid))),
    prepared as (
      select gid, owner as role, prepared, (
        select count(distinct waiting.pid)
        from lock as own join lock as held on held.virtualtransaction = own.virtualtransaction join waiting
          on waiting.what is not distinct from held.what
          and greatest(waiting.mode, held.mode) >= (${conflictsFrom}::int[])[least(waiting.mode, held.mode)]
        where own.pid is null and own.transactionid = transaction and held.pid is null and held.granted) as waiting
      from pg_prepared_xacts where database = current_database())
    select gid, role, prepared, waiting from prepared, lately where waiting > 0 or prepared < lately.at
    order by waiting desc, prepared limit 5`.execute(db);
  return rows.map(describePrepared);
}

function describePrepared({ gid, role, prepared, waiting }: PreparedRow): LockHolder {
  const name = `'${gid.replaceAll("'", "''")}'`;
  return {
    who: `the prepared transaction ${gid} (role ${role})`,
    doing: `has kept its locks since ${prepared.toISOString()}`,
    ...(waiting > 0n && { holdsUp: counted(waiting, 'session') }),
    advice: `ask its owner whether it should take effect; then, as that role or a superuser, run commit prepared ${name} or rollback prepared ${name}`,
    said: {
      key: 'lockOfPrepared',
      values: { gid, role, since: prepared.getTime(), waiting: Number(waiting) },
    },
    advised: { key: 'decidePrepared', values: { name } },
  };
}
