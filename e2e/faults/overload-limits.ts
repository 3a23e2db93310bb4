import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { fullScale } from '../../scripts/testing/full-scale.ts';
import { defaultDatabaseLimits, type ServerProcess } from '../server-process.ts';
import type { Outcome } from './overload-load.ts';

/** The outcomes of a server before, at, above and after its peak. */
export interface Measured {
  /** With one request at a time. */
  readonly unloaded: Outcome;
  readonly peak: Outcome;
  readonly overload: Outcome;
  /** With one request at a time, by {@link loadAfterwards}. */
  readonly afterwards: readonly Outcome[];
}

const loadsMax = 60;

/** Loads a server within five seconds after an overload; at bounded size, beside other tests, until it refuses nothing. */
export async function loadAfterwards(load: () => Promise<Outcome>): Promise<Outcome[]> {
  const outcomes = [await load()];
  while (!fullScale && outcomes.length < loadsMax && (outcomes.at(-1)?.count(1503) ?? 0) > 0)
    outcomes.push(await load());
  return outcomes;
}

/**
 * Flags that undo what `ServerProcess.start` sets for the other tests. A longer limit of statements than that of calls
 * would cost every write a round trip. At bounded size, other tests make the database slow.
 */
export const asByDefault = ['--overload-wait', '50', ...(fullScale ? defaultDatabaseLimits : [])];

const goodputMin = 0.8;
const slowerMax = 10;

/** Prints the figures. At full size, asserts what the overload may cost; counts are asserted at every size. */
export function assertWithinLimits(t: TestContext, measured: Measured): void {
  const { unloaded, peak, overload } = measured;
  const afterwards = measured.afterwards.at(-1);
  assert.ok(afterwards !== undefined);
  const goodput = overload.acceptedPerSecond / peak.acceptedPerSecond;
  const slower = overload.p99Ms / unloaded.p99Ms;
  t.diagnostic(`figure: unloaded p99 ${unloaded.p99Ms.toFixed(1)} ms; at the peak ${peak}`);
  t.diagnostic(
    `figure: overloaded ${overload}; in the first second up to ${overload.onsetMs.toFixed(0)} ms; ` +
      `${overload.unsent} due requests found no connection`,
  );
  t.diagnostic(
    `figure: goodput ${(goodput * 100).toFixed(0)} % of the peak, p99 ${slower.toFixed(1)} times the unloaded; ` +
      `afterwards p99 ${afterwards.p99Ms.toFixed(1)} ms`,
  );
  for (const outcome of [unloaded, peak, overload, ...measured.afterwards])
    assert.deepEqual(outcome.faults, []);
  assert.ok(overload.accepted.length > 0, 'nothing was accepted');
  assert.equal(afterwards.count(1503), 0, 'refused after the overload');
  if (!fullScale) return;
  assert.ok(goodput >= goodputMin, `goodput ${goodput}`);
  assert.ok(slower < slowerMax, `p99 ${slower} times the unloaded`);
  assert.ok(afterwards.p99Ms < slowerMax * unloaded.p99Ms, `p99 ${afterwards.p99Ms} ms afterwards`);
}

/** Anonymous memory of a server that is bounded, in MiB; V8 may use this much before it collects. */
const memoryMaxMebibytes = 700;

const sampleIntervalMs = 50;

/** Watches the anonymous memory of a server, because what a load takes may be gone when the load ends. */
export class MemoryWatch {
  readonly #server: ServerProcess;
  readonly #timer: NodeJS.Timeout;
  #highest = 0;

  constructor(server: ServerProcess) {
    this.#server = server;
    this.#timer = setInterval(() => this.#sample(), sampleIntervalMs).unref();
  }

  /** Ends the watch. */
  assertBounded(t: TestContext): void {
    clearInterval(this.#timer);
    const last = this.#sample();
    const highest = this.#highest;
    t.diagnostic(
      `figure: up to ${highest.toFixed(0)} MiB of anonymous memory, ${last.toFixed(0)} MiB afterwards`,
    );
    assert.ok(highest < memoryMaxMebibytes, `${highest} MiB`);
  }

  #sample(): number {
    // A test that failed has killed the server.
    if (!this.#server.running) clearInterval(this.#timer);
    if (!this.#server.running) return 0;
    const status = readFileSync(`/proc/${this.#server.pid}/status`, 'latin1');
    const mebibytes = Number(/RssAnon:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
    this.#highest = Math.max(this.#highest, mebibytes);
    return mebibytes;
  }
}
