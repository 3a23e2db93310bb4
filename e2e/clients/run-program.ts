import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type CommandResult, collectResult } from '../fieldroster-command.ts';

const clientsFolder = import.meta.dirname;

/** For programs that run for a moment, in which the optimising compiler and a parallel collector only cost time. */
export const quickJava = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];

function isOnPath(program: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Runs a program of another language in the folder of the clients. */
export function runProgram(
  program: string,
  programArguments: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<CommandResult> {
  const child = spawn(program, programArguments, {
    cwd: clientsFolder,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return collectResult(child);
}

/** Runs a program that must succeed; returns the JSON values that it printed, one in each line. */
export async function readAnswers<Answer>(
  program: string,
  programArguments: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Answer[]> {
  const result = await runProgram(program, programArguments, environment);
  if (result.exitCode !== 0)
    throw new Error(`${program} ${programArguments[0]} failed: ${result.stderr}${result.stdout}`);
  const lines = result.stdout.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as Answer);
}

/**
 * Returns whether to run a client that needs this program. Set FIELDROSTER_E2E_REQUIRE to a comma-separated list of the
 * programs that must not be missing, as on a build server.
 */
export function isAvailable(program: string, report: (text: string) => void): boolean {
  if (isOnPath(program)) return true;
  const required = (process.env.FIELDROSTER_E2E_REQUIRE ?? '').split(',');
  if (required.includes(program)) throw new Error(`${program} is required here and is not on the PATH`);
  report(`not run: ${program} is not on the PATH`);
  return false;
}
