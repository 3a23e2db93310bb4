import { type ChildProcess, spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import {
  type NamedFinding,
  type ProgramCommands,
  requireNoConflict,
  type Settings,
} from '@fieldroster/server';
import { backupEnvironment, type ServerSources, sourcesOfDoctor } from './command-environment.ts';

/**
 * Returns the commands that a server runs in separate processes.
 *
 * @param sources where the server found its settings
 * @throws {SettingError} when settings contradict each other
 */
export function programCommands(settings: Settings, sources: ServerSources): ProgramCommands {
  requireNoConflict(settings);
  return {
    async makeBackup(file, signal) {
      const env = backupEnvironment(process.env, settings);
      await run(['backup', '--verify', '--to', file], { env, signal, inBackground: true });
    },
    async verifyBackup(file, signal) {
      await run(['backup', 'verify', file], { env: process.env, signal });
    },
    async examine(signal) {
      const { flags, env } = sourcesOfDoctor(process.argv.slice(2), process.env, sources);
      const { stdout } = await run(['doctor', ...flags, '--quick', '--json', '--said'], {
        env,
        signal,
        codesMax: 2,
      });
      const { findings } = JSON.parse(stdout) as { findings: NamedFinding[] };
      return findings;
    },
  };
}

interface RunOptions {
  readonly env: NodeJS.ProcessEnv;
  /** Asks the command to end. */
  readonly signal: AbortSignal;
  /** The command has failed if its exit code is larger than this; 0 when left out. */
  readonly codesMax?: number;
  /**
   * Whether to run with a lower priority than the server. A command that somebody waits for keeps the usual priority,
   * because it would never end on a busy machine otherwise.
   */
  readonly inBackground?: boolean;
}

/** How long a command may take to end once it is asked to, in milliseconds. */
const endMsMax = 2_000;

/**
 * Runs a command of this program, and settles once its process has ended, even if the signal aborts it.
 *
 * @throws {Error} with what the command printed as its errors
 */
async function run(
  words: readonly string[],
  { env, signal, codesMax = 0, inBackground = false }: RunOptions,
): Promise<{ stdout: string }> {
  const program = process.argv[1] ?? '';
  signal.throwIfAborted();
  const child = spawn(process.execPath, [...process.execArgv, program, ...words], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = untilEnded(child, signal);
  if (inBackground) lowerPriority(child.pid);
  // A process that could not be started may have no streams.
  const { stdout: output, stderr }: Partial<Pick<ChildProcess, 'stdout' | 'stderr'>> = child;
  let stdout = '';
  output?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  let errors = '';
  stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-4_000);
  });
  const exitCode = await ended;
  signal.throwIfAborted();
  if (exitCode === null || exitCode > codesMax || (exitCode > 0 && stdout === ''))
    throw new Error(errors.trim() || `fieldroster ${words[0]} ended with ${exitCode}`);
  return { stdout };
}

/**
 * Resolves with the exit code once the process has ended and its output is read.
 *
 * @throws {Error} when it could not be started
 */
async function untilEnded(child: ChildProcess, signal: AbortSignal): Promise<number | null> {
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.once('close', resolve);
  // A process that runs emits it when a signal cannot be sent to it, and ends later.
  child.on('error', (error) => {
    if (child.pid === undefined)
      reject(new Error(`a command could not be started: ${error.message}`, { cause: error }));
  });
  let timer: NodeJS.Timeout | undefined;
  const end = () => {
    child.kill();
    timer = setTimeout(() => child.kill('SIGKILL'), endMsMax);
  };
  signal.addEventListener('abort', end);
  try {
    return await promise;
  } finally {
    signal.removeEventListener('abort', end);
    clearTimeout(timer);
  }
}

function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It has ended already, or the system does not allow it.
  }
}
