import pg from 'pg';
import { BusyError } from '../../../errors/busy-error.ts';
import { OperatorError } from '../../../errors/operator-error.ts';
import { certificateAdvice, isRefusedCertificate } from '../connections/refused-certificates.ts';
import { codeOf } from './error-code.ts';
import { sqlStates } from './sql-states.ts';

/** The meaning of an error of the driver or the database for the failed work. */
export type PostgresFault =
  /** The transaction lost a race; the same work may succeed if repeated immediately. */
  | 'conflict'
  /** The database is away, overloaded or not the primary; the connection is unusable. */
  | 'unavailable'
  /** The database answered, but not in time. */
  | 'too-slow'
  /**
   * The database could not carry out the statement, for example because its disk is full. The transaction is undone; the
   * connection is still usable.
   */
  | 'refused'
  | 'other';

const conflicts = new Set<string>([
  sqlStates.serializationFailure,
  sqlStates.deadlockDetected,
  sqlStates.foreignKeyViolation, // a key was removed between check and use
]);

const timeouts = new Set<string>([
  sqlStates.queryCanceled, // by the statement time-out
  sqlStates.lockNotAvailable,
]);

/** Codes of shortages, with which the server answers but has no free connection. */
const shortages = new Set<string>([sqlStates.tooManyConnections, sqlStates.configurationLimitExceeded]);

const outages = new Set<string>([
  ...shortages,
  sqlStates.readOnlySqlTransaction, // a demoted primary
  // This process stood still for too long, and the database undid its transaction.
  sqlStates.idleInTransactionSessionTimeout,
  sqlStates.transactionTimeout,
  sqlStates.adminShutdown,
  sqlStates.crashShutdown,
  sqlStates.cannotConnectNow,
  sqlStates.idleSessionTimeout,
]);

const refusedLogins = new Set<string>([
  sqlStates.invalidAuthorizationSpecification,
  sqlStates.invalidPassword,
  sqlStates.invalidCatalogName,
]);

/**
 * Refused logins, and the code of a database that was dropped, as after a password change or during a restore. No
 * connection succeeds until an operator has fixed it.
 */
const refusedConnections = new Set([...refusedLogins, sqlStates.databaseDropped]);

/**
 * The codes with which PostgreSQL refuses work. A commit answered with one of these did not happen, unless the
 * connection ends as well: PostgreSQL reports that it cannot write or sync its log, and crashes.
 */
const refusals = new Set<string>([
  sqlStates.insufficientResources,
  sqlStates.diskFull,
  sqlStates.outOfMemory,
  sqlStates.programLimitExceeded, // no transaction ids are left until a vacuum
  sqlStates.systemError,
  sqlStates.ioError,
  sqlStates.undefinedFile,
  sqlStates.dataCorrupted,
  sqlStates.indexCorrupted,
  sqlStates.insufficientPrivilege, // a right was revoked
]);

const socketFaults = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ERR_STREAM_DESTROYED',
]);

/**
 * System calls that open a connection. Nothing was sent yet when one of them fails, whatever the reason: no such host,
 * no socket file because PostgreSQL is stopped, no free port or file descriptor, a full queue.
 */
const connecting = new Set(['connect', 'getaddrinfo']);

/** Driver errors without a code. Source: the messages of `pg` and `pg-pool` 8. */
const driverFaults =
  /Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|not queryable|Client has encountered a connection error/;

/** Classifies an error. */
export function faultOf(error: unknown): PostgresFault {
  if (error instanceof AggregateError)
    return error.errors.some((inner) => faultOf(inner) === 'unavailable') ? 'unavailable' : 'other';
  if (!(error instanceof Error)) return 'other';
  const code = codeOf(error);
  if (conflicts.has(code)) return 'conflict';
  if (timeouts.has(code)) return 'too-slow';
  if (refusals.has(code)) return 'refused';
  if (outages.has(code) || refusedConnections.has(code)) return 'unavailable';
  if (isRefusedCertificate(error)) return 'unavailable';
  if (code.startsWith('08') || socketFaults.has(code)) return 'unavailable';
  if ('syscall' in error && connecting.has(String(error.syscall))) return 'unavailable';
  return driverFaults.test(error.message) ? 'unavailable' : 'other';
}

/** Returns whether the driver gave up waiting: the server hangs, or the statement waits for a lock. */
export function isReadTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}

/** Returns whether the server rejects the user, the password or the database's name. */
function isRefusedLogin(error: unknown): boolean {
  return refusedLogins.has(codeOf(error));
}

/** Returns whether PgBouncer rejects a setting that every connection asks for. */
function isRefusedSetting(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('unsupported startup parameter');
}

/** Returns whether no connection succeeds until an operator has changed something, so that waiting is useless. */
export function isRefusedConnection(error: unknown): boolean {
  return isRefusedLogin(error) || isRefusedSetting(error);
}

const mixedUpStatements = new Set<string>([
  sqlStates.invalidSqlStatementName,
  sqlStates.duplicatePreparedStatement,
]);

/**
 * Returns whether the session has prepared statements other than those that this process gave it, as behind a pooler that passes
 * sessions on without them. The session cannot be used any more.
 */
export function isMixedUp(error: unknown): boolean {
  return mixedUpStatements.has(codeOf(error));
}

/** A pooler in front of PostgreSQL does not keep prepared statements, which an operator has to change. */
class PoolerError extends OperatorError {
  override readonly name = 'PoolerError';

  constructor(location: string, cause: unknown) {
    super(
      `the database at ${location} mixed up prepared statements: ${reasonOf(cause)}; if PgBouncer is in between, use ` +
        'version 1.21 or newer and set its max_prepared_statements above 0: docs/scaling.md has the whole configuration',
      { cause },
    );
  }
}

/** Returns the driver's error if `toBusyError` has wrapped it. */
export function causeOf(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? error.cause : error;
}

/** Returns whether the server answers but has no free connection. */
export function isOutOfConnections(error: unknown): boolean {
  return shortages.has(codeOf(error));
}

/**
 * Turns an error that may pass a moment later into a `BusyError`, and explains one that a pooler causes; returns
 * others unchanged.
 *
 * @param location the database's location, for the log
 */
export function toBusyError(error: unknown, location: string): unknown {
  const state = states[faultOf(error)];
  if (isMixedUp(error)) return new PoolerError(location, error);
  if (state === undefined) return error;
  const advice = adviceOn(error);
  const message = `the database at ${location} ${state}: ${reasonOf(error)}${advice && `; ${advice}`}`;
  return new BusyError(message, { cause: error });
}

/**
 * Turns an error in opening a connection into a {@link BusyError} too. Nothing was done yet, so every refusal of
 * the server counts, even one without a code of its own, such as that of a database that is closed to connections.
 */
export function toConnectError(error: unknown, location: string): unknown {
  const busy = toBusyError(error, location);
  if (busy !== error || !refusesConnection(error)) return busy;
  const advice = adviceOn(error);
  const message = `the database at ${location} refuses the connection: ${error.message}${advice && `; ${advice}`}`;
  return new BusyError(message, { cause: error });
}

function refusesConnection(error: unknown): error is Error {
  return error instanceof pg.DatabaseError || (error instanceof Error && error.message in adviceOnTls);
}

/**
 * Advice about a connection without TLS, by the driver's message. These errors have no code. Source: `pg` 8.
 */
const adviceOnTls: Readonly<Record<string, string>> = {
  'The server does not support SSL connections':
    'turn ssl on in PostgreSQL, or leave sslmode out of the database URL if PostgreSQL is on this machine',
  'There was an error establishing an SSL connection':
    'check that PostgreSQL listens on the host and port in the database URL',
};

/** Advice about the errors without a code: PostgreSQL does not offer TLS, does not answer, or hangs up. */
const adviceOnMessages: Readonly<Record<string, string>> = {
  ...adviceOnTls,
  'Connection terminated due to connection timeout':
    'see whether PostgreSQL hangs or a firewall is in between, or correct the host and port in the database URL; ' +
    'raise FIELDROSTER_DATABASE_CONNECT_TIMEOUT if the network to it is slow',
  'Connection terminated unexpectedly':
    'see the log of PostgreSQL, or correct the host and port in the database URL',
  'Query read timeout':
    'see whether PostgreSQL hangs, and run fieldroster doctor at once: it names who holds a lock',
};

/** Advice about an error, by its code. */
const adviceOnCodes: Readonly<Record<string, string>> = {
  ...certificateAdvice,
  [sqlStates.insufficientPrivilege]: 'use the role that owns the tables, or grant it the right',
  [sqlStates.diskFull]: 'make room on the disk of PostgreSQL',
  [sqlStates.tooManyConnections]:
    'raise max_connections of PostgreSQL or the limit of the role, or lower --database-pool-size',
  [sqlStates.programLimitExceeded]: "vacuum the database, as PostgreSQL's log says",
  [sqlStates.queryCanceled]:
    'see what held it up with fieldroster doctor, or raise statement_timeout of PostgreSQL or ' +
    '--database-statement-timeout of the server',
  [sqlStates.objectNotInPrerequisiteState]: 'let it accept connections again, with alter database',
  ECONNRESET: 'see the log of PostgreSQL, or correct the host and port in the database URL',
  [sqlStates.lockNotAvailable]: 'see who holds the lock with fieldroster doctor',
};

/** Returns what an operator can do about an error, if that is known. */
export function adviceOn(error: unknown): string {
  if (isRefusedLogin(error)) return 'correct the user, password or name in the database URL';
  if (isRefusedSetting(error))
    return 'add it to ignore_startup_parameters of PgBouncer, and set it with connect_query there: docs/scaling.md has the whole configuration, with version and max_prepared_statements';
  if (!(error instanceof Error)) return '';
  if ('syscall' in error && connecting.has(String(error.syscall)))
    return 'start it, or correct the host and port in the database URL';
  return adviceOnCodes[codeOf(error)] ?? adviceOnMessages[error.message] ?? '';
}

const states: Partial<Record<PostgresFault, string>> = {
  unavailable: 'is unavailable',
  'too-slow': 'did not answer in time',
  refused: 'could not carry out the statement',
};

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
