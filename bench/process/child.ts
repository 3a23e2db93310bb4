import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { serverFlags } from '../../packages/cli/src/serve/use-server-flags.ts';
import type { Sample, Serving } from '../measurement.ts';
import { pinned } from './pinned.ts';

export interface ChildOptions {
  readonly script: string;
  readonly args?: readonly string[];
  readonly cores: string | undefined;
  /** Node.js flags in addition to those of this process. */
  readonly flags?: readonly string[];
  /** Receives the child's standard output, which is discarded otherwise. */
  readonly outputFile?: string;
}

interface Answer {
  readonly value?: unknown;
  readonly error?: string;
}

/** A program of this benchmark in a separate process. */
export class Child {
  readonly #process: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#process = child;
  }

  /** Starts the script and waits until it is ready; `ready` is the value that it reports. */
  static async start<Ready>(options: ChildOptions): Promise<{ child: Child; ready: Ready }> {
    const { script, args = [], cores, outputFile, flags = [] } = options;
    const node = [...process.execArgv, ...flags, script, ...args];
    const [command, commandArgs] = pinned(cores, process.execPath, node);
    const output = outputFile === undefined ? 'ignore' : openSync(outputFile, 'a');
    const child = new Child(
      spawn(command, commandArgs, { stdio: ['ignore', output, 'inherit', 'ipc'], env: quietEnvironment() }),
    );
    return { child, ready: await child.#next<Ready>() };
  }

  /** Starts a server script that reports its URL. It runs with the V8 flags of our own command. */
  static async serve(options: Omit<ChildOptions, 'flags'>): Promise<Serving> {
    const { child, ready } = await Child.start<string>({ ...options, flags: serverFlags() });
    return { pid: child.#process.pid ?? 0, url: ready, stop: () => child.stop() };
  }

  measure(seconds: number): Promise<Sample> {
    const answer = this.#next<Sample>();
    this.#process.send(seconds);
    return answer;
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const ended = once(this.#process, 'exit');
    this.#process.disconnect();
    await ended;
  }

  async #next<Value>(): Promise<Value> {
    const ended = new AbortController();
    const answered = once(this.#process, 'message', { signal: ended.signal });
    const onExit = () => ended.abort(new Error(`the process ended: ${this.#process.spawnargs.join(' ')}`));
    this.#process.once('exit', onExit);
    try {
      const [{ value, error }] = (await answered) as [Answer];
      if (error !== undefined) throw new Error(error);
      return value as Value;
    } finally {
      this.#process.off('exit', onExit);
    }
  }
}

/** The environment without Fieldroster settings, which would change what is measured. */
export function quietEnvironment(): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env).filter(([name]) => !name.startsWith('FIELDROSTER_'));
  return Object.fromEntries(entries);
}
