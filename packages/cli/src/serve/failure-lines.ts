import { describeCause, logLine } from '@fieldroster/server';
import { describeFailure, ReportedFailure } from '../run-program.ts';

/** Names of errors whose message tells the operator what is wrong and what to do. */
const operatorErrors: readonly string[] = [
  'DataFolderError',
  'DatabaseBusyError',
  'DatabaseEncodingError',
  'DatabaseFileError',
  'DatabaseRefusalError',
  'ListenError',
  'MasterKeyError',
  'MissingDatabaseError',
  'ReplicaError',
  'SchemaError',
  'SettingError',
  'UnknownKeyError',
  'UnverifiedConnectionError',
  'UsageError',
];

/** Writes the failure as a line like those of the log, and returns what is left to say: the exit code. */
export function reportAsJson(error: unknown): ReportedFailure {
  const { message, exitCode } = describeFailure(error);
  const isForOperator = error instanceof Error && operatorErrors.includes(error.name);
  writeLine({ cause: isForOperator ? systemReason(error) : describeCause(error) }, message);
  return new ReportedFailure(exitCode);
}

/** Returns what the system said, unless the message says it already. A stack trace does not help an operator. */
function systemReason({ message, cause }: Error): string | undefined {
  return cause instanceof Error && !message.includes(cause.message) ? cause.message : undefined;
}

/**
 * Writes a crash of this process, and what Node.js would otherwise print as a warning, as lines like those of the log.
 * Node.js would print the properties of an error too, and a failed statement's hold the row.
 */
export function reportCrashesAsJson(): void {
  process.on('uncaughtException', (error) => {
    writeLine({ cause: describeCause(error) }, `the server crashed: ${describeFailure(error).message}`);
    process.exit(1);
  });
  process.removeAllListeners('warning');
  process.on('warning', (warning) => {
    process.stderr.write(
      logLine('warn', { pid: process.pid, cause: describeCause(warning) }, warning.message),
    );
  });
}

function writeLine(fields: object, message: string): void {
  process.stderr.write(logLine('fatal', { pid: process.pid, ...fields }, message));
}
