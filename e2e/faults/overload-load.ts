import { setTimeout as delay } from 'node:timers/promises';
import type { SignedCall } from '../signed-client.ts';
import { RawHttpConnection, requestText } from './raw-http-connection.ts';

export interface LoadOptions {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
  /** Signs the next request. */
  readonly next: () => SignedCall;
}

export interface OpenLoopOptions extends LoadOptions {
  /** Requests a second, which arrive whether or not earlier ones were answered. */
  readonly perSecond: number;
}

/** A server takes a load for a burst until queues have stood for half a second; see decision 019. */
const onsetMs = 1_000;

interface Accepted {
  /** Time from the start of the load to the request, and from there to its answer, in milliseconds. */
  readonly afterMs: number;
  readonly tookMs: number;
}

/** The answers to a load. */
export class Outcome {
  /** Requests that were answered with any code but 1503. */
  readonly accepted: Accepted[] = [];
  readonly codes = new Map<number, number>();
  /** Refusals with a wrong status or without `Retry-After`, and connections that broke. */
  readonly faults: string[] = [];
  /** Requests that were due while every connection waited for an answer. */
  unsent = 0;
  seconds = 0;

  note(code: number, request: Accepted): void {
    this.codes.set(code, this.count(code) + 1);
    if (code !== 1503) this.accepted.push(request);
  }

  count(code: number): number {
    return this.codes.get(code) ?? 0;
  }

  get acceptedPerSecond(): number {
    return this.accepted.length / this.seconds;
  }

  /** The time within which 99 of 100 accepted requests were answered, in milliseconds, from the second second on. */
  get p99Ms(): number {
    const sorted = this.accepted
      .filter(({ afterMs }) => afterMs >= Math.min(onsetMs, (this.seconds * 1000) / 2))
      .map(({ tookMs }) => tookMs)
      .sort((a, b) => a - b);
    return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.NaN;
  }

  /** The longest time to the answer of a request of the first second, in milliseconds. */
  get onsetMs(): number {
    return Math.max(...this.accepted.filter(({ afterMs }) => afterMs < onsetMs).map(({ tookMs }) => tookMs));
  }

  toString(): string {
    return (
      `${this.acceptedPerSecond.toFixed(0)} accepted a second, p99 ${this.p99Ms.toFixed(1)} ms; ` +
      `${(this.count(1503) / this.seconds).toFixed(0)} refused a second`
    );
  }
}

/** Sends requests on each connection, one after the other. */
export async function runClosedLoop(options: LoadOptions): Promise<Outcome> {
  const outcome = new Outcome();
  const connections = await openAll(options);
  const [startMs, endMs] = period(options);
  await Promise.all(
    connections.map(async (connection) => {
      while (performance.now() < endMs && !connection.ended) {
        await exchange(connection, options.next(), outcome, startMs);
      }
      connection.close();
    }),
  );
  outcome.seconds = (performance.now() - startMs) / 1000;
  return outcome;
}

/** Sends requests at a steady rate, each on a connection that is free. */
export async function runOpenLoop(options: OpenLoopOptions): Promise<Outcome> {
  const outcome = new Outcome();
  const free = await openAll(options);
  const [startMs, endMs] = period(options);
  const underWay = new Set<Promise<void>>();
  for (let begun = 0; performance.now() < endMs; await delay(1)) {
    const due = ((performance.now() - startMs) / 1000) * options.perSecond;
    for (; begun < due; begun += 1) {
      const connection = free.pop();
      if (connection === undefined) {
        outcome.unsent += 1;
        continue;
      }
      const sent = exchange(connection, options.next(), outcome, startMs).then(() => {
        underWay.delete(sent);
        if (!connection.ended) free.push(connection);
      });
      underWay.add(sent);
    }
  }
  outcome.seconds = (performance.now() - startMs) / 1000;
  await Promise.all(underWay);
  for (const connection of free) connection.close();
  return outcome;
}

function period({ seconds }: LoadOptions): readonly [startMs: number, endMs: number] {
  const startMs = performance.now();
  return [startMs, startMs + seconds * 1000];
}

async function openAll({ port, connections }: LoadOptions): Promise<RawHttpConnection[]> {
  const opened: RawHttpConnection[] = [];
  while (opened.length < connections) {
    const count = Math.min(100, connections - opened.length);
    opened.push(...(await Promise.all(Array.from({ length: count }, () => RawHttpConnection.open(port)))));
  }
  return opened;
}

async function exchange(
  connection: RawHttpConnection,
  call: SignedCall,
  outcome: Outcome,
  startMs: number,
): Promise<void> {
  const sentMs = performance.now();
  try {
    const { status, body, retryAfter } = await connection.send(requestText(call));
    const code = Number(/^\{"code":(\d+)/.exec(body)?.[1]);
    outcome.note(code, { afterMs: sentMs - startMs, tookMs: performance.now() - sentMs });
    if (code !== 1503) return;
    if (status !== 503) outcome.faults.push(`1503 with the status ${status}`);
    if (retryAfter === undefined) outcome.faults.push('1503 without Retry-After');
  } catch (error) {
    outcome.faults.push((error as Error).message);
  }
}
