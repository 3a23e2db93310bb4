import { describeCause, logLine } from '@fieldroster/server';
import { describeFailure, ReportedFailure } from '../run-program.ts';

/** Writes the failure as a line like those of the log, and returns what is left to say: the exit code. */
export function reportAsJson(error: unknown): ReportedFailure {
  const { message, exitCode } = describeFailure(error);
  writeLine(error, message);
  return new ReportedFailure(exitCode);
}

/**
 * Writes a crash of this process, and what Node.js would otherwise print as a warning, as lines like those of the log.
 * Node.js would print the properties of an error too, and a failed statement's hold the row.
 */
export function reportCrashesAsJson(): void {
  process.on('uncaughtException', (error) => {
    writeLine(error, `the server crashed: ${describeFailure(error).message}`);
    process.exit(1);
  });
  process.removeAllListeners('warning');
  process.on('warning', (warning) => {
    process.stderr.write(
      logLine('warn', { pid: process.pid, cause: describeCause(warning) }, warning.message),
    );
  });
}

function writeLine(error: unknown, message: string): void {
  process.stderr.write(logLine('fatal', { pid: process.pid, cause: describeCause(error) }, message));
}
