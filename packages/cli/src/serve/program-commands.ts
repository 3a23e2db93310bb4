import { type ChildProcess, spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import {
  type NamedFinding,
  type ProgramCommands,
  requireNoConflict,
  type Settings,
} from '@fieldroster/server';

/**
 * Returns the commands that a server runs in separate processes.
 *
 * @throws {SettingError} when settings contradict each other
 */
export function programCommands(settings: Settings): ProgramCommands {
  requireNoConflict(settings);
  return {
    async makeBackup(file, signal) {
      const env = backupEnvironment(settings);
      await run(['backup', '--verify', '--to', file], { env, signal, inBackground: true });
    },
    async verifyBackup(file, signal) {
      await run(['backup', 'verify', file], { env: process.env, signal });
    },
    async examine(signal) {
      const flags = ownSettingFlags(process.argv.slice(2));
      const { stdout } = await run(['doctor', ...flags, '--quick', '--json', '--said'], {
        env: process.env,
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

/** Flags of `serve` that are not settings. */
const otherFlags = new Set(['serve', '--sample', '--json', '--no-migrate']);

/** Returns the words of this program's command line that the doctor takes too. */
function ownSettingFlags(words: readonly string[]): string[] {
  return words.filter((word) => !otherFlags.has(word));
}

/** Process lists show flags, so the database's URL goes into the environment. A backup needs no master key. */
function backupEnvironment({ data, database, databaseInsecure }: Settings): NodeJS.ProcessEnv {
  const {
    FIELDROSTER_MASTER_KEY: _key,
    FIELDROSTER_MASTER_KEY_FILE: _keyFile,
    FIELDROSTER_DATABASE_URL_FILE: _urlFile,
    ...rest
  } = process.env;
  return {
    ...rest,
    FIELDROSTER_DATA: data,
    FIELDROSTER_DATABASE_URL: database,
    FIELDROSTER_DATABASE_INSECURE: databaseInsecure ? 'yes' : 'no',
  };
}

function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It has ended already, or the system does not allow it.
  }
}
