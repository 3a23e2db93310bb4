import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { createHistogram } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { LoadRequest, LoadResult } from '../measurement.ts';
import { readLdapAnswer } from './ldap.ts';
import { type AnswerReader, httpAnswerReader, splitRequestFile } from './requests.ts';

const nothing = Buffer.alloc(0);

/** Each connection waits for an answer before it sends the next request. */
class Generator {
  readonly #requests: readonly Buffer[];
  readonly #once: boolean;
  readonly #readAnswer: AnswerReader;
  readonly #sockets: Socket[] = [];
  readonly latenciesMicroseconds = createHistogram();
  failures = 0;
  #position = 0;
  #done = Promise.withResolvers<void>();

  constructor({ url, requestFile, once, successPrefix }: LoadRequest) {
    this.#requests = splitRequestFile(readFileSync(requestFile));
    this.#once = once;
    this.#readAnswer = url.startsWith('ldap:') ? readLdapAnswer : httpAnswerReader(successPrefix);
  }

  async run({ url, connections, seconds }: LoadRequest): Promise<void> {
    const { port, hostname } = new URL(url);
    for (let index = 0; index < connections; index += 1) this.#open(Number(port), hostname);
    await Promise.race([this.#done.promise, delay(seconds * 1000)]);
    for (const socket of this.#sockets) socket.destroy();
  }

  #open(port: number, host: string): void {
    let sentAt = 0;
    let received: Buffer = nothing;
    const send = () => {
      sentAt = performance.now();
      socket.write(this.#next());
    };
    const socket = connect({ port, host, noDelay: true }, send);
    socket.on('data', (bytes: Buffer) => {
      received = received.length === 0 ? bytes : Buffer.concat([received, bytes]);
      const isSuccess = this.#readAnswer(received);
      if (isSuccess === undefined) return;
      received = nothing;
      this.latenciesMicroseconds.record(Math.max(1, Math.round(1000 * (performance.now() - sentAt))));
      if (!isSuccess) this.failures += 1;
      send();
    });
    socket.on('error', () => {
      this.failures += 1;
    });
    this.#sockets.push(socket);
  }

  #next(): Buffer {
    if (this.#position === this.#requests.length) {
      this.#position = 0;
      if (this.#once) this.#done.resolve();
    }
    const request = this.#requests[this.#position] as Buffer;
    this.#position += 1;
    return request;
  }
}

const request = JSON.parse(process.argv[2] ?? '') as LoadRequest;
const generator = new Generator(request);
const startedAt = performance.now();
const cpuBefore = process.cpuUsage();
await generator.run(request);
const cpu = process.cpuUsage(cpuBefore);
const { latenciesMicroseconds: latencies } = generator;
const result: LoadResult = {
  requests: latencies.count,
  seconds: (performance.now() - startedAt) / 1000,
  failures: generator.failures,
  p50Ms: latencies.percentile(50) / 1000,
  p99Ms: latencies.percentile(99) / 1000,
  p999Ms: latencies.percentile(99.9) / 1000,
  cpuSeconds: (cpu.user + cpu.system) / 1e6,
};
process.stdout.write(`${JSON.stringify(result)}\n`, () => process.exit());
