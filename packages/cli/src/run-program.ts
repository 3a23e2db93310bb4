import { type Command, CommanderError } from 'commander';

/** The command line asks for something that makes no sense; the message names the flag and what it accepts. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The answer that was printed tells of a failure; there is nothing to add to it. */
export class ReportedFailure extends Error {
  override readonly name = 'ReportedFailure';
}

const exitFailure = 1;
const exitUsage = 2;

/** Errors of other packages that mean a mistake on the command line. */
const usageErrors: readonly string[] = ['UsageError', 'SettingError'];

/** Runs the command; a failure becomes one line on standard error. Resolves with the exit code. */
export async function runProgram(program: Command, commandLine: readonly string[]): Promise<number> {
  endQuietlyWhenNobodyReads();
  try {
    await program.parseAsync(commandLine, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof ReportedFailure) return exitFailure;
    // Commander has said what is wrong, or printed the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitUsage;
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    process.stderr.write(`fieldroster: ${message.replaceAll(/\s*\n\s*/g, ' ')}\n`);
    return usageErrors.includes(name) ? exitUsage : exitFailure;
  }
}

/** `fieldroster store list | head` is no failure. */
function endQuietlyWhenNobodyReads(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
}
