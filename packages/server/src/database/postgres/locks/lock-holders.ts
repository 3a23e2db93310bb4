import type { LockValues } from '@fieldroster/contract/console';
import { sql } from 'kysely';
import { causesOf } from '../../../errors/causes-of.ts';
import { counted } from '../../../words/counted.ts';
import type { LockHolder } from '../../database.ts';
import type { Session } from '../../queries/session.ts';
import { codeOf } from '../errors/error-code.ts';
import { sqlStates } from '../errors/sql-states.ts';
import { findPreparedHolders } from './prepared-holders.ts';

interface SessionRow {
  readonly pid: number;
  readonly application: string | null;
  readonly role: string | null;
  readonly address: string | null;
  readonly state: string | null;
  readonly since: Date | null;
  readonly command: string | null;
  readonly wait_event_type: string | null;
  readonly wait_event: string | null;
  readonly tables: readonly string[] | null;
  readonly waiting: bigint;
}

/**
 * Finds sessions that have held up others for a long time, sessions that have held a lock against every write for as long,
 * sessions that are idle in a transaction with locks, and prepared transactions. A role that is not a member of
 * `pg_read_all_stats` cannot see what sessions of other roles do, but sees which of them hold up others.
 *
 * @param longMs what counts as a long time, in milliseconds
 */
export async function findLockHolders(session: Session, longMs: number): Promise<readonly LockHolder[]> {
  return [...(await findSessions(session, longMs)), ...(await findPreparedHolders(session, longMs))];
}

/** Finds the sessions that a waiting session waits for, at the end of any chain of waits. None if it does not wait. */
export async function findHoldersBefore(session: Session, waiting: number): Promise<readonly LockHolder[]> {
  const { rows } = await sql<{ pid: number }>`
    with recursive before (pid) as (
      select unnest(pg_blocking_pids(${waiting}))
      union select unnest(pg_blocking_pids(before.pid)) from before)
    select pid from before`.execute(session.db);
  const before = new Set(rows.map(({ pid }) => pid));
  if (before.size === 0) return [];
  const sessions = (await readSessions(session, 0)).filter(({ pid }) => before.has(pid));
  // PostgreSQL gives a prepared transaction, which no session has, the process id 0.
  const prepared = before.has(0) ? await findPreparedHolders(session, 0) : [];
  return [...sessions.map(describeSession), ...prepared];
}

async function findSessions(session: Session, longMs: number): Promise<readonly LockHolder[]> {
  return (await readSessions(session, longMs)).map(describeSession);
}

async function readSessions({ db }: Session, longMs: number): Promise<readonly SessionRow[]> {
  const { rows } = await sql<SessionRow>`
    with lately as (select clock_timestamp() - make_interval(secs => ${longMs / 1000}) as at),
    lock as (
      select l.pid, c.relname, l.mode in (
        'ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock') as stops_writes
      from pg_locks as l join pg_class as c on c.oid = l.relation and c.relkind = 'r'
        and c.relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
      where l.granted and l.mode <> 'AccessShareLock'
        and l.database = (select oid from pg_database where datname = current_database())),
    waiting as (
      select pid, pg_blocking_pids(pid) as blocked_by from pg_locks, lately
      where not granted group by pid having min(waitstart) < min(lately.at)),
    holder as (
      select a.pid, a.application_name as application, a.usename as role, host(a.client_addr) as address, a.state,
        coalesce(case when a.state like 'idle%' then a.state_change else a.xact_start end, a.backend_start) as since,
        lower(substring(a.query from '^\\s*([A-Za-z]+)')) as command, a.wait_event_type, a.wait_event,
        (select array_agg(distinct relname::text order by relname::text) from lock where lock.pid = a.pid) as tables,
        (select count(*) from waiting where a.pid = any(blocked_by)) as waiting,
        a.backend_xid is not null as writes, a.state_change < lately.at as unchanged, a.xact_start < lately.at as old,
        exists (select 1 from lock where lock.pid = a.pid and stops_writes) as stops_writes
      from pg_stat_activity as a, lately
      where a.datname = current_database() and a.pid <> pg_backend_pid())
    select pid, application, role, address, state, since, command, wait_event_type, wait_event, tables, waiting
    from holder
    where wait_event_type is distinct from 'Lock' and (waiting > 0 or stops_writes and old
      or state like 'idle in transaction%' and unchanged and (writes or tables is not null))
    order by waiting desc, since limit 5`.execute(db);
  return rows;
}

function describeSession(row: SessionRow): LockHolder {
  const { pid, waiting, tables } = row;
  const from = row.address === null ? '' : `, from ${row.address}`;
  const application = row.application ? `application ${row.application}, ` : '';
  const locks = tables === null ? '' : `, and holds locks on ${tables.slice(0, 5).join(', ')}`;
  return {
    who: `session ${pid} (${application}role ${row.role ?? 'unknown'}${from})`,
    doing: `${stateOf(row)}${locks}`,
    ...(waiting > 0n && { holdsUp: counted(waiting, 'session') }),
    advice: `let its owner end the transaction, or end it: select pg_terminate_backend(${pid}); what it has not committed is undone`,
    said: { key: 'lockOfSession', values: valuesOf(row) },
    advised: { key: 'endSession', values: { pid } },
  };
}

function valuesOf(row: SessionRow): LockValues['lockOfSession'] {
  const { pid, application, role, address, state, since, wait_event_type, wait_event, tables, waiting } = row;
  const isIdle = state?.startsWith('idle') === true;
  return {
    pid,
    application: application ?? '',
    role: role ?? '',
    address: address ?? '',
    state: state === null ? 'unknown' : isIdle ? 'idle' : 'running',
    ...(since !== null && { since: since.getTime() }),
    command: knownCommand(row) ?? '',
    waitsFor: wait_event === null || isIdle ? '' : `${wait_event_type} ${wait_event}`,
    tables: tables?.slice(0, 5) ?? [],
    waiting: Number(waiting),
  };
}

function knownCommand({ command }: SessionRow): string | undefined {
  return command !== null && commands.has(command) ? command : undefined;
}

function stateOf(row: SessionRow): string {
  const { state, since, wait_event_type, wait_event } = row;
  const from = since === null ? '' : ` since ${since.toISOString()}`;
  if (state === null) return 'is doing something that this role may not see';
  const isIdle = state.startsWith('idle');
  const known = knownCommand(row) ?? 'another statement';
  const waits = wait_event === null || isIdle ? '' : `, is waiting for ${wait_event_type} ${wait_event}`;
  return isIdle
    ? `has been idle in a transaction${from} after ${known}`
    : `has been running ${known}${from}${waits}`;
}

/** Words that a statement begins with. Anything else in it may be a value. */
const commands = new Set(
  'select insert update delete merge with begin start commit savepoint lock copy alter create drop truncate vacuum analyze reindex cluster refresh do call'.split(
    ' ',
  ),
);

/** Returns whether a statement gave up because of another session's lock. */
export function isLockedOut(error: unknown): boolean {
  return causesOf(error).some((cause) => codeOf(cause) === sqlStates.lockNotAvailable);
}
