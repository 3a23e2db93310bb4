import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { serverFlags } from '../packages/cli/src/serve/restart-with-server-flags.ts';
import {
  type CommandResult,
  cleanEnvironment,
  collectResult,
  commandPath,
} from '../scripts/testing/command-under-test.ts';

export { type CommandResult, collectResult };

export const repositoryRoot = join(import.meta.dirname, '..');

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
      env: { ...cleanEnvironment(), ...environment },
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
