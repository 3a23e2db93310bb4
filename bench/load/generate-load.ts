import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { LoadRequest, LoadResult } from '../measurement.ts';
import { splitRequestFile } from './request-file.ts';

/** A connection sends its next request once it has the answer to the one before. */
class Generator {
  readonly #requests: readonly Buffer[];
  readonly #once: boolean;
  readonly #successPrefix: string;
  readonly #sockets: Socket[] = [];
  readonly latenciesMs: number[] = [];
  failures = 0;
  #position = 0;
  #done = Promise.withResolvers<void>();

  constructor({ requestFile, once, successPrefix }: LoadRequest) {
    this.#requests = splitRequestFile(readFileSync(requestFile));
    this.#once = once;
    this.#successPrefix = successPrefix;
  }

  async run({ url, connections, seconds }: LoadRequest): Promise<void> {
    const { port, hostname } = new URL(url);
    for (let index = 0; index < connections; index += 1) this.#open(Number(port), hostname);
    await Promise.race([this.#done.promise, delay(seconds * 1000)]);
    for (const socket of this.#sockets) socket.destroy();
  }

  #open(port: number, host: string): void {
    const socket = connect({ port, host, noDelay: true }, () => this.#send(socket));
    let sentAt = 0;
    let received = '';
    socket.on('send', (at: number) => {
      sentAt = at;
    });
    socket.on('data', (bytes) => {
      received += bytes.toString('latin1');
      const body = completeBody(received);
      if (body === undefined) return;
      received = '';
      this.latenciesMs.push(performance.now() - sentAt);
      if (!body.startsWith(this.#successPrefix)) this.failures += 1;
      this.#send(socket);
    });
    socket.on('error', () => {
      this.failures += 1;
    });
    this.#sockets.push(socket);
  }

  #send(socket: Socket): void {
    if (this.#position === this.#requests.length) {
      this.#position = 0;
      if (this.#once) this.#done.resolve();
    }
    const request = this.#requests[this.#position] as Buffer;
    this.#position += 1;
    socket.emit('send', performance.now());
    socket.write(request);
  }
}

/** The body of an answer, once all of it has come. */
function completeBody(received: string): string | undefined {
  const headersEnd = received.indexOf('\r\n\r\n');
  if (headersEnd === -1) return undefined;
  const length = /\r\ncontent-length: *(\d+)/i.exec(received.slice(0, headersEnd + 2))?.[1];
  const body = received.slice(headersEnd + 4);
  return body.length >= Number(length) ? body : undefined;
}

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

const request = JSON.parse(process.argv[2] ?? '') as LoadRequest;
const generator = new Generator(request);
const startedAt = performance.now();
const cpuBefore = process.cpuUsage();
await generator.run(request);
const cpu = process.cpuUsage(cpuBefore);
const sorted = generator.latenciesMs.toSorted((a, b) => a - b);
const result: LoadResult = {
  requests: sorted.length,
  seconds: (performance.now() - startedAt) / 1000,
  failures: generator.failures,
  p50Ms: percentile(sorted, 0.5),
  p99Ms: percentile(sorted, 0.99),
  p999Ms: percentile(sorted, 0.999),
  cpuSeconds: (cpu.user + cpu.system) / 1e6,
};
process.stdout.write(`${JSON.stringify(result)}\n`, () => process.exit());
