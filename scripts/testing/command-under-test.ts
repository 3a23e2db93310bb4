import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { testCommandVariable } from './test-command-variable.ts';

const bundle = process.env[testCommandVariable];

/** What Node.js runs the command with: the module that `npm test` bundled, or the command's source. */
export const commandPath: readonly string[] = bundle
  ? [bundle]
  : ['--conditions=fieldroster-source', join(import.meta.dirname, '../../packages/cli/src/main.ts')];

/** Returns this process's environment for a command, without the developer's own settings. */
export function cleanEnvironment(): Record<string, string> {
  const kept = Object.entries(process.env).filter(
    (entry): entry is [string, string] => !/^(FIELDROSTER_|NODE_(?!COMPILE_CACHE$))/.test(entry[0]),
  );
  // What runs beside a test must not make it fail.
  return { ...Object.fromEntries(kept), FIELDROSTER_DATABASE_CONNECT_TIMEOUT: '60000' };
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
