import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { createHistogram } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { readLdapAnswer } from './ldap.ts';
import type { LoadRequest, LoadResult } from './load-generators.ts';
import { httpAnswerReader, splitRequestFile } from './requests.ts';

/** Argument: the load as JSON. */
const load = JSON.parse(process.argv[2] ?? '') as LoadRequest;
const { port, hostname: host, protocol } = new URL(load.url);
const requests = splitRequestFile(readFileSync(load.requestFile));
const readAnswer = protocol === 'ldap:' ? readLdapAnswer : httpAnswerReader(load.successPrefix);
const microseconds = createHistogram();
const allSent = Promise.withResolvers<void>();
let [failures, position] = [0, 0];

const nothing = Buffer.alloc(0);

/** Opens a connection, which waits for an answer before it sends the next request. */
function open(): Socket {
  let sentAt = 0;
  let received: Buffer = nothing;
  const send = () => {
    sentAt = performance.now();
    socket.write(nextRequest());
  };
  const socket = connect({ port: Number(port), host, noDelay: true }, send);
  socket.on('data', (bytes: Buffer) => {
    received = received.length === 0 ? bytes : Buffer.concat([received, bytes]);
    const isSuccess = readAnswer(received);
    if (isSuccess === undefined) return;
    received = nothing;
    microseconds.record(Math.max(1, Math.round(1000 * (performance.now() - sentAt))));
    if (!isSuccess) failures += 1;
    send();
  });
  socket.on('error', () => {
    failures += 1;
  });
  return socket;
}

function nextRequest(): Buffer {
  if (position === requests.length) {
    position = 0;
    if (load.once) allSent.resolve();
  }
  const request = requests[position] as Buffer;
  position += 1;
  return request;
}

const startedAt = performance.now();
const cpuBefore = process.cpuUsage();
const sockets = Array.from({ length: load.connections }, open);
await Promise.race([allSent.promise, delay(load.seconds * 1000)]);
for (const socket of sockets) socket.destroy();
const cpu = process.cpuUsage(cpuBefore);
const result: LoadResult = {
  answers: microseconds.count,
  seconds: (performance.now() - startedAt) / 1000,
  failures,
  p50Ms: microseconds.percentile(50) / 1000,
  p99Ms: microseconds.percentile(99) / 1000,
  p999Ms: microseconds.percentile(99.9) / 1000,
  cpuSeconds: (cpu.user + cpu.system) / 1e6,
};
process.stdout.write(`${JSON.stringify(result)}\n`, () => process.exit());
