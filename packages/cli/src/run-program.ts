import { getSystemErrorMessage } from 'node:util';
import { type Command, CommanderError } from 'commander';
import { abridge, printable, warn } from './output/print.ts';

/** A mistake on the command line. The message names the flag and what it accepts. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The printed answer already reports the failure; nothing is added. */
export class ReportedFailure extends Error {
  override readonly name = 'ReportedFailure';
  readonly exitCode: number;

  constructor(exitCode: number = exitFailure) {
    super();
    this.exitCode = exitCode;
  }
}

const exitFailure = 1;
const exitUsage = 2;

/** Names of errors that mean a mistake on the command line, including those of other packages. */
const usageErrors: readonly string[] = ['UsageError', 'SettingError'];

/**
 * Runs the command and returns the exit code. A failure becomes one line on standard error, even if the command cannot
 * be loaded.
 */
export async function runProgram(
  program: Command | Promise<Command>,
  commandLine: readonly string[],
): Promise<number> {
  outliveLostOutput();
  try {
    await (await program).parseAsync(commandLine, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof ReportedFailure) return error.exitCode;
    // Commander has already printed the error or the requested help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitUsage;
    const { message, exitCode } = describeFailure(error);
    warn(message);
    return exitCode;
  }
}

/** Replaces the system's message, which says neither what is wrong nor what to do. */
const folderGone =
  'the folder in which the command was started has been removed; go to another folder with cd, and start it again';

/** Returns whether an error arose because the folder in which the command was started is gone. */
export function isFolderGone(error: unknown): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).syscall === 'uv_cwd';
}

/** Returns what to say of a failure, on one line, and the exit code. */
export function describeFailure(failure: unknown): { message: string; exitCode: number } {
  const error = firstError(failure);
  if (isFolderGone(error)) return { message: folderGone, exitCode: exitFailure };
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  return {
    message: abridge(printable(message.replaceAll(/\s*\n\s*/g, ' '))),
    exitCode: usageErrors.includes(name) ? exitUsage : exitFailure,
  };
}

/** Returns the first of several errors. Those that cleaning up met after it have a message that names none of them. */
export function firstError(error: unknown): unknown {
  return error instanceof SuppressedError ? firstError(error.suppressed) : error;
}

/**
 * Lets the command go on to its own exit code when its output is lost.
 * `fieldroster store list | head` is no failure, but `fieldroster doctor | head` has the exit code of the doctor.
 */
function outliveLostOutput(): void {
  let isTold = false;
  process.stdout.on('error', ({ code, errno, message }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE' || isTold) return;
    isTold = true;
    const reason = errno === undefined ? message : getSystemErrorMessage(errno);
    warn(`the output cannot be written (${reason}); what the command has changed stays changed`);
    process.exitCode ||= exitFailure;
  });
  // An error of standard error itself cannot be reported anywhere.
  process.stderr.on('error', () => {});
}
