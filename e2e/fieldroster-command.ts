import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { serverFlags } from '../packages/cli/src/serve/restart-with-server-flags.ts';
import { testCommandVariable } from '../scripts/testing/test-command-variable.ts';

export const repositoryRoot = join(import.meta.dirname, '..');

const sourcePath = join(repositoryRoot, 'packages/cli/src/main.ts');

/** The command as `npm test` bundled it; otherwise its source. */
const bundlePath = process.env[testCommandVariable];
const commandPath = bundlePath ? [bundlePath] : ['--conditions=fieldroster-source', sourcePath];

/** Keeps the caller's settings away from the processes under test. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env).filter(
    ([name]) => !/^(FIELDROSTER_|NODE_(?!COMPILE_CACHE$))/.test(name),
  );
  return Object.fromEntries(entries);
}

/** A server that has its flags from the start need not replace itself, which takes a sixth of its start. */
function flagsOf([command]: readonly string[]): readonly string[] {
  return command === 'serve' ? serverFlags() : [];
}

/**
 * Returns how to start the published command.
 *
 * @param environment variables for this process only
 */
export function fieldrosterCommand(commandArguments: readonly string[], environment: NodeJS.ProcessEnv = {}) {
  return {
    program: process.execPath,
    args: [...flagsOf(commandArguments), ...commandPath, ...commandArguments],
    options: {
      cwd: repositoryRoot,
      // What runs beside a test must not make it fail.
      env: { ...cleanEnvironment(), FIELDROSTER_DATABASE_CONNECT_TIMEOUT: '60000', ...environment },
    },
  };
}

/**
 * Starts the published command in its own process.
 *
 * @param environment variables for this process only
 */
export function spawnFieldroster(
  commandArguments: readonly string[],
  environment?: NodeJS.ProcessEnv,
): ChildProcess {
  const { program, args, options } = fieldrosterCommand(commandArguments, environment);
  return spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
}

export interface CommandResult {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a child to its end and collects its output. */
export async function collectResult(child: ChildProcess): Promise<CommandResult> {
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text;
    });
  }
  const [exitCode] = await once(child, 'close');
  return { exitCode: exitCode as number | null, ...texts };
}

export function runFieldroster(...commandArguments: readonly string[]): Promise<CommandResult> {
  return collectResult(spawnFieldroster(commandArguments));
}

/** Runs a command that must succeed; returns what it printed to standard output. */
export async function expectFieldroster(...commandArguments: readonly string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await runFieldroster(...commandArguments);
  if (exitCode !== 0)
    throw new Error(`fieldroster ${commandArguments.join(' ')} ended with ${exitCode}: ${stderr}`);
  return stdout;
}
