import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';

export interface CommandResult {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const entry = join(import.meta.dirname, '../src/main.ts');

/** Settings of whoever runs the tests must not reach the commands. */
const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(FIELDROSTER_|NODE_(?!COMPILE_CACHE$))/.test(name)),
);

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** Starts the command in a process of its own. */
export function startCommand(words: readonly string[], options: RunOptions = {}): ChildProcess {
  return spawn(process.execPath, ['--conditions=fieldroster-source', entry, ...words], {
    cwd: options.cwd,
    env: { ...environment, XDG_CONFIG_HOME: '/nowhere', ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Waits for the end of a process and keeps what it printed. */
export async function collect(child: ChildProcess): Promise<CommandResult> {
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      printed[name] += text;
    });
  }
  const [exitCode] = await once(child, 'close');
  return { exitCode, ...printed };
}

export function runCommand(words: readonly string[], options?: RunOptions): Promise<CommandResult> {
  return collect(startCommand(words, options));
}

/** A folder that is removed once the file's tests have ended. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'fieldroster-cli-'));
  after(() => rmSync(folder, { recursive: true }));
  return folder;
}
