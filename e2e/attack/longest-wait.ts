import { once } from 'node:events';
import { Agent, request } from 'node:http';

/** What another client sees while something else goes on: the longest time that a request without work takes. */
export class LongestWait {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #url: URL;

  constructor(serverUrl: string) {
    this.#url = new URL('/healthz', serverUrl);
  }

  /** Milliseconds. Asks again and again until the work is done, and at least this many times. */
  async during(work: Promise<unknown>, timesMin = 0): Promise<number> {
    let isOver = false;
    const over = work.finally(() => {
      isOver = true;
    });
    let longestMs = 0;
    for (let times = 0; !isOver || times < timesMin; times++) {
      const startMs = performance.now();
      await this.#ask();
      longestMs = Math.max(longestMs, performance.now() - startMs);
    }
    await over;
    return longestMs;
  }

  close(): void {
    this.#agent.destroy();
  }

  async #ask(): Promise<void> {
    const outgoing = request(this.#url, { agent: this.#agent }).end();
    const [response] = await once(outgoing, 'response');
    response.resume();
    await once(response, 'end');
  }
}
