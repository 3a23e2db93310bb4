import type pg from 'pg';
import { codeOf } from '../errors/error-code.ts';
import { sqlStates } from '../errors/sql-states.ts';
import type { PrimarySeen } from './primary-history.ts';

export interface ServerIdentity {
  /** Why it takes no writes, if it does not. */
  readonly refusesWrites: string | undefined;
  /** Absent on a replica, and on a database that is only compatible with PostgreSQL's protocol. */
  readonly seen: PrimarySeen | undefined;
}

interface Row {
  readonly read_only: boolean;
  /** The first eight hexadecimal digits of the log file's name; null on a replica. */
  readonly timeline: string | null;
  readonly system: string;
}

const selectIdentity = `
  select current_setting('transaction_read_only') = 'on' as read_only,
    case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_lsn()), 8) end as timeline,
    cast((select system_identifier from pg_control_system()) as text) as system`;

const notTold = new Set<string>([
  sqlStates.undefinedFunction,
  sqlStates.insufficientPrivilege,
  sqlStates.featureNotSupported,
]);

export async function readServerIdentity(client: pg.ClientBase): Promise<ServerIdentity> {
  try {
    const { rows } = await client.query<Row>(selectIdentity);
    return toIdentity(rows[0]);
  } catch (error) {
    if (!notTold.has(codeOf(error))) throw error;
    const { rows } = await client.query<{ transaction_read_only: string }>('show transaction_read_only');
    const isReadOnly = rows[0]?.transaction_read_only !== 'off';
    return { refusesWrites: isReadOnly ? 'its transactions are read-only' : undefined, seen: undefined };
  }
}

function toIdentity(row: Row | undefined): ServerIdentity {
  if (row === undefined) throw new TypeError('the database does not report its identity');
  const { read_only: readOnly, timeline, system } = row;
  const seen = timeline === null ? undefined : { system, timeline: Number.parseInt(timeline, 16) };
  if (seen === undefined) return { refusesWrites: 'it is a replica', seen };
  return { refusesWrites: readOnly ? 'default_transaction_read_only is on' : undefined, seen };
}
