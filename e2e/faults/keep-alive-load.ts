import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout as delay, setImmediate as nextIteration } from 'node:timers/promises';
import { type Credentials, type SignedCall, signCall } from '../signed-client.ts';
import { RawHttpConnection, requestText } from './raw-http-connection.ts';

export interface LoadOptions {
  readonly port: number;
  readonly credentials: Credentials;
  readonly clients: number;
  /** Prefix of the usernames that the clients write. Each load on one directory needs a different one. */
  readonly mark?: string;
  /** Upper bound of the random pauses between two requests of one client. */
  readonly pauseMsMax?: number;
  /** Requests that a client sends on each connection; unlimited by default. */
  readonly requestsPerConnection?: number;
  /** If false, a client ends with its first connection; by default it opens another one. */
  readonly reconnect?: boolean;
}

const requestsPerWrite = 5;

const lookIntervalMs = 20;

/**
 * Clients that send reads and writes in turn, each over one persistent connection. None of them
 * retries: anything other than an answer with code 0 and the written content is a failure.
 */
export class KeepAliveLoad {
  /** Describes each failed request, and each connection that could not be opened. */
  readonly failures: string[] = [];
  answered = 0;
  /** Number of opened connections. */
  connections = 0;
  readonly #options: LoadOptions;
  readonly #clients: Promise<unknown>;
  #going = true;

  private constructor(options: LoadOptions) {
    this.#options = options;
    this.#clients = Promise.all(Array.from({ length: options.clients }, (_, number) => this.#run(number)));
  }

  static start(options: LoadOptions): KeepAliveLoad {
    return new KeepAliveLoad(options);
  }

  /** Resolves once that many more requests have ended, successfully or not. */
  async untilMore(requests: number): Promise<void> {
    const ended = () => this.answered + this.failures.length;
    const enough = ended() + requests;
    while (this.#going && ended() < enough) await delay(lookIntervalMs);
  }

  /** Resolves once every client has received its last answer. */
  async stop(): Promise<void> {
    this.#going = false;
    await this.#clients;
  }

  /** Resolves once every client has ended. Without `reconnect: false`, none ends before `stop`. */
  async ended(): Promise<void> {
    await this.#clients;
  }

  /** Stops, reports how many requests failed, and asserts that none did. */
  async assertNoneFailed(t: TestContext): Promise<void> {
    await this.stop();
    const { answered, failures, connections } = this;
    t.diagnostic(
      `figure: ${failures.length} of ${answered + failures.length} requests failed; ${this.#options.clients} clients, ${connections} connections`,
    );
    assert.equal(failures.length, 0, this.summary);
  }

  /** Counts the failures by kind. */
  get summary(): string {
    const kinds = Map.groupBy(this.failures, (failure) => failure);
    return [...kinds].map(([failure, { length }]) => `${length} × ${failure}`).join('\n');
  }

  async #run(number: number): Promise<void> {
    const { reconnect = true } = this.#options;
    const requests = this.#requestsOf(number);
    do {
      try {
        await this.#useConnection(requests);
      } catch (error) {
        this.failures.push((error as Error).message);
        requests.startOver();
        await delay(lookIntervalMs);
      }
    } while (this.#going && reconnect);
  }

  async #useConnection(requests: Requests): Promise<void> {
    const { port, pauseMsMax = 0, requestsPerConnection = Number.POSITIVE_INFINITY } = this.#options;
    const connection = await RawHttpConnection.open(port);
    this.connections += 1;
    for (let sent = 0; this.#going && !connection.ended && sent < requestsPerConnection; sent++) {
      await this.#exchange(connection, requests);
      if (pauseMsMax > 0) await delay(Math.random() * pauseMsMax);
      // On a busy machine, the end of the connection may have arrived meanwhile, and is read before the next iteration.
      await nextIteration();
    }
    connection.close();
  }

  async #exchange(connection: RawHttpConnection, requests: Requests): Promise<void> {
    const { call, expected } = requests.next();
    const { body } = await connection.send(requestText(call));
    if (!body.startsWith('{"code":0,') || !body.includes(expected)) throw new Error(body.slice(0, 200));
    this.answered += 1;
  }

  #requestsOf(number: number): Requests {
    const { credentials, mark = 'client' } = this.#options;
    const username = `${mark}-${number}`;
    let count = 0;
    let writes = 0;
    const write = (): SignedCall => {
      writes += 1;
      return signCall(credentials, 'POST', '/user/stores', { username, real_name: String(writes) });
    };
    return {
      next() {
        if (count++ % requestsPerWrite === 0) return { call: write(), expected: '"data":' };
        const call = signCall(credentials, 'GET', `/user?username=${username}`);
        return { call, expected: `"real_name":"${writes}"` };
      },
      startOver() {
        count = 0;
      },
    };
  }
}

interface Requests {
  /** Returns the next request of a client, and part of the expected answer. */
  next(): { readonly call: SignedCall; readonly expected: string };
  /** Makes the next request a write, because the outcome of the last one may be unknown. */
  startOver(): void;
}
