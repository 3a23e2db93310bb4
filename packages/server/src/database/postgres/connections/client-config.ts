import pg from 'pg';
import { CorkedSocket } from './corked-socket.ts';

export interface ClientLimits {
  /** How long to wait for a connection, in milliseconds. */
  readonly connectTimeoutMs: number;
  /** How long a statement may take, in milliseconds; 0 sets no limit. */
  readonly statementTimeoutMs: number;
}

/** How much longer than the database the driver waits before it gives the connection up for dead. */
export const networkGraceMs = 2_000;

/** An abandoned open transaction keeps its locks; a stuck process must not hold them forever. */
const idleInTransactionMs = 30_000;

/** Returns the settings that every connection to the directory uses. */
export function clientConfig(
  connectionString: string,
  { connectTimeoutMs, statementTimeoutMs }: ClientLimits,
): pg.ClientConfig {
  return {
    connectionString,
    application_name: 'fieldroster',
    connectionTimeoutMillis: connectTimeoutMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
    keepAlive: true,
    // The next statement is sent before the last one is answered. `COPY`, in work without a limit, cannot be sent that
    // way.
    pipeline: statementTimeoutMs > 0,
    stream: () => new CorkedSocket(),
    types: { getTypeParser },
    ...(statementTimeoutMs > 0 && {
      statement_timeout: statementTimeoutMs,
      query_timeout: statementTimeoutMs + networkGraceMs,
    }),
  };
}

/** Parses 64-bit integers as `bigint`; the driver's default is text. */
function getTypeParser(oid: number, format?: 'text' | 'binary') {
  return oid === pg.types.builtins.INT8 ? BigInt : pg.types.getTypeParser(oid, format as 'text');
}
