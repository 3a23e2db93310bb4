import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type CommandResult,
  cleanEnvironment,
  collectResult,
  commandPath,
} from '../../../scripts/testing/command-under-test.ts';
import type { CommandJob } from './command-worker.ts';

export { type CommandResult, collectResult as collect };

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** File descriptor of standard output; a pipe when left out. Only for {@link startCommand}. */
  readonly stdout?: number;
  /** Lets the test write to standard input, which is empty when left out. Only for {@link startCommand}. */
  readonly stdin?: 'pipe';
}

/** Starts the command in its own process. */
export function startCommand(words: readonly string[], options: RunOptions = {}): ChildProcess {
  return spawn(process.execPath, [...commandPath, ...words], {
    cwd: options.cwd,
    env: environmentOf(options),
    stdio: [options.stdin ?? 'ignore', options.stdout ?? 'pipe', 'pipe'],
  });
}

/** Repeats a signal until the process has ended, because two in quick succession count as one. */
export async function signalUntilEnded(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  while (child.exitCode === null && child.signalCode === null) {
    child.kill(signal);
    await delay(20);
  }
}

/** Runs the command after the previous ones, in a process that has already loaded it. */
export async function runCommand(words: readonly string[], options: RunOptions = {}): Promise<CommandResult> {
  // A server outlives its command line and may restart itself with other flags.
  if (words[0] === 'serve') return collectResult(startCommand(words, options));
  const job = { words, environment: environmentOf(options), cwd: options.cwd ?? process.cwd() };
  const before = lastRun;
  const run = before.then(() => sendToWorker(job));
  lastRun = run.catch(() => {});
  return run;
}

let lastRun: Promise<unknown> = Promise.resolve();
let worker: Worker | undefined;

interface Worker {
  readonly child: ChildProcess;
  /** Rejects when the process has ended. */
  readonly ended: Promise<never>;
}

async function sendToWorker(job: CommandJob): Promise<CommandResult> {
  worker ??= startWorker();
  const { child, ended } = worker;
  child.ref();
  child.channel?.ref();
  child.send(job);
  const [result] = await Promise.race([once(child, 'message'), ended]);
  child.unref();
  child.channel?.unref();
  return result;
}

function startWorker(): Worker {
  const child = fork(join(import.meta.dirname, 'command-worker.ts'), {
    execArgv: ['--conditions=fieldroster-source'],
    env: cleanEnvironment(),
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = failedEnd(child);
  ended.catch(() => {});
  return { child, ended };
}

async function failedEnd(child: ChildProcess): Promise<never> {
  const [exitCode] = await once(child, 'exit');
  throw new Error(`the process that runs commands ended with ${exitCode}`);
}

function environmentOf({ env }: RunOptions): Record<string, string> {
  return {
    ...cleanEnvironment(),
    XDG_CONFIG_HOME: '/nowhere',
    ...env,
  };
}

/** Creates a folder that is removed after the tests of the file. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'fieldroster-cli-'));
  after(() => rmSync(folder, { recursive: true }));
  return folder;
}
