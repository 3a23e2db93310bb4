import { type Command, CommanderError } from 'commander';

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

/** Runs the command and returns the exit code. A failure becomes one line on standard error. */
export async function runProgram(program: Command, commandLine: readonly string[]): Promise<number> {
  endQuietlyWhenNobodyReads();
  try {
    await program.parseAsync(commandLine, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof ReportedFailure) return error.exitCode;
    // Commander has already printed the error or the requested help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitUsage;
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    process.stderr.write(`fieldroster: ${message.replaceAll(/\s*\n\s*/g, ' ')}\n`);
    return usageErrors.includes(name) ? exitUsage : exitFailure;
  }
}

/** `fieldroster store list | head` must not count as a failure. */
function endQuietlyWhenNobodyReads(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
}
