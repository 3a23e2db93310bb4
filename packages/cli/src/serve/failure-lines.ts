import { BusyError, describeCause, logLine, OperatorError } from '@fieldroster/server';
import { describeFailure, firstError, isFolderGone, ReportedFailure, UsageError } from '../run-program.ts';

/** Writes the failure as a line like those of the log, and returns what is left to say: the exit code. */
export function reportAsJson(failure: unknown): ReportedFailure {
  const error = firstError(failure);
  const { message, exitCode } = describeFailure(error);
  writeLine({ cause: isForOperator(error) ? systemReason(error) : describeCause(error) }, message);
  return new ReportedFailure(exitCode);
}

/**
 * Returns whether the message says what an operator needs. A busy database is an outcome that calls expect too, so its
 * error is not an {@link OperatorError}.
 */
function isForOperator(error: unknown): error is Error {
  return (
    isFolderGone(error) ||
    [OperatorError, UsageError, BusyError].some((expected) => error instanceof expected)
  );
}

/** Returns what the system said below the error, unless the message says it already. A stack trace does not help an operator. */
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
