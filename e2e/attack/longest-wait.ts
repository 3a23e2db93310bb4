import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';

/** The longest duration of a trivial request, in milliseconds. */
export interface Waits {
  /** How long its client waited. Includes the work of other programs on a busy machine. */
  readonly wallMs: number;
  /**
   * How long the server's event loop worked during the request. This delay does not depend on how busy the machine is.
   */
  readonly workMs: number;
}

/** How long the event loop may work before it answers another client, in milliseconds, above its work when idle. */
export const workMsMax = 50;

/** Measures what another client sees while the server does other work. */
export class LongestWait {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #url: URL;
  readonly #pid: number;
  #idleMs = 0;

  constructor(server: { readonly url: string; readonly pid: number }) {
    this.#url = new URL('/healthz', server.url);
    this.#pid = server.pid;
  }

  /** Sends requests while the server does nothing else. {@link isTooLong} compares with the longest. */
  async learnIdle(times = 200): Promise<Waits> {
    const idle = await this.during(Promise.resolve(), times);
    this.#idleMs = idle.workMs;
    return idle;
  }

  isTooLong({ workMs }: Waits, aboveIdleMs = workMsMax): boolean {
    return workMs >= this.#idleMs + aboveIdleMs;
  }

  /** Sends requests until the work is done, and at least this many. */
  async during(work: Promise<unknown>, timesMin = 0): Promise<Waits> {
    let isOver = false;
    const over = work.finally(() => {
      isOver = true;
    });
    // Awaited below, which reports a failure.
    over.catch(() => {});
    let longest: Waits = { wallMs: 0, workMs: 0 };
    for (let times = 0; !isOver || times < timesMin; times++) {
      const { wallMs, workMs } = await this.#ask();
      longest = { wallMs: Math.max(longest.wallMs, wallMs), workMs: Math.max(longest.workMs, workMs) };
    }
    await over;
    return longest;
  }

  close(): void {
    this.#agent.destroy();
  }

  async #ask(): Promise<Waits> {
    const [startMs, startWorkMs] = [performance.now(), this.#workedMs()];
    const outgoing = request(this.#url, { agent: this.#agent }).end();
    const [response] = await once(outgoing, 'response');
    response.resume();
    await once(response, 'end');
    return { wallMs: performance.now() - startMs, workMs: this.#workedMs() - startWorkMs };
  }

  /** Processor time of the server's first thread, on which its event loop runs. */
  #workedMs(): number {
    const [nanoseconds] = readFileSync(`/proc/${this.#pid}/task/${this.#pid}/schedstat`, 'latin1').split(' ');
    return Number(nanoseconds) / 1e6;
  }
}

/** Returns the words of a figure in a test's output. */
export function wordsOf({ workMs, wallMs }: Waits): string {
  return `${workMs.toFixed(1)} ms of work at once (${wallMs.toFixed(1)} ms waited)`;
}
