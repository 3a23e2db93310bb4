import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { RateUse } from '../database/database.ts';
import { SharedLimit } from './shared-limit.ts';

const perSecond = 100;
const stepMs = 10;
const exchangeMs = 500;
const firstSeconds = 5;
const measuredSeconds = 60;
const allowed = perSecond * measuredSeconds;

/** Requests a second at each process, for some seconds. */
interface Phase {
  readonly seconds: number;
  readonly demands: readonly number[];
}

interface Pattern {
  /** Repeated to the end of the simulation. */
  readonly phases: readonly Phase[];
  /** How long a report takes to the other processes. */
  readonly delayMs: number;
}

/** The model: one bucket for all processes. */
class SingleBucket {
  #tokens = perSecond;

  refill(): void {
    this.#tokens = Math.min(perSecond, this.#tokens + (perSecond * stepMs) / 1000);
  }

  tryTake(): boolean {
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}

class SimulatedProcess {
  readonly limit = new SharedLimit(perSecond, 0);
  readonly received = new Map<string, RateUse>();
  #begun = 0;

  /** Returns how many requests arrive in one step. */
  arrivals(demandPerSecond: number): number {
    this.#begun += (demandPerSecond * stepMs) / 1000;
    const whole = Math.floor(this.#begun + 1e-9);
    this.#begun -= whole;
    return whole;
  }
}

test('after the clock was set back an hour, the share follows the demand as before', () => {
  const limit = new SharedLimit(perSecond, 0);
  const others = new Map([['other', { demandPerSecond: 0, acceptedTotal: 0 }]]);
  let nowMs = 3_600_000;
  let accepted = 0;
  const runFor = (seconds: number, demandPerSecond: number) => {
    accepted = 0;
    for (let period = 0; period < seconds * 2; period++) {
      for (let count = 0; count < demandPerSecond / 2; count++) {
        nowMs += exchangeMs / (demandPerSecond / 2);
        if (limit.tryTake(nowMs)) accepted += 1;
      }
      limit.report(nowMs);
      limit.learn(others, nowMs);
    }
  };
  runFor(60, 20 * perSecond);
  nowMs -= 3_600_000;
  runFor(10, perSecond / 2);
  runFor(60, perSecond / 2);
  assert.equal(accepted, 60 * (perSecond / 2), 'half of the limit is never refused');
});

/** Counts what the processes, and a single bucket, accept in the measured minute. */
function simulate({ phases, delayMs }: Pattern): { readonly shared: number; readonly single: number } {
  const processes = (phases[0]?.demands ?? []).map(() => new SimulatedProcess());
  const seconds = phases.flatMap((phase) => Array<readonly number[]>(phase.seconds).fill(phase.demands));
  const bucket = new SingleBucket();
  const underWay: { readonly atMs: number; readonly from: number; readonly use: RateUse }[] = [];
  const accepted = { shared: 0, single: 0 };
  for (let nowMs = 0; nowMs < (firstSeconds + measuredSeconds) * 1000; nowMs += stepMs) {
    const measured = nowMs >= firstSeconds * 1000 ? 1 : 0;
    const demands = seconds[Math.floor(nowMs / 1000) % seconds.length] ?? [];
    bucket.refill();
    for (const [index, process] of processes.entries()) {
      for (let left = process.arrivals(demands[index] ?? 0); left > 0; left -= 1) {
        if (process.limit.tryTake(nowMs)) accepted.shared += measured;
        if (bucket.tryTake()) accepted.single += measured;
      }
      // Each process exchanges at moments of its own.
      if ((nowMs + index * 130) % exchangeMs !== 0) continue;
      underWay.push({ atMs: nowMs + delayMs, from: index, use: process.limit.report(nowMs) });
      while ((underWay[0]?.atMs ?? Number.POSITIVE_INFINITY) <= nowMs) {
        const { from, use } = underWay.shift() ?? { from: 0, use: { demandPerSecond: 0, acceptedTotal: 0 } };
        for (const [to, other] of processes.entries()) if (to !== from) other.received.set(`${from}`, use);
      }
      process.limit.learn(process.received, nowMs);
    }
  }
  return accepted;
}

const demand = fc.oneof(
  fc.constant(0),
  fc.integer({ min: 0, max: perSecond / 2 }),
  fc.integer({ min: 0, max: 4 * perSecond }),
);

const patterns: fc.Arbitrary<Pattern> = fc.integer({ min: 2, max: 6 }).chain((processes) =>
  fc.record({
    phases: fc.array(
      fc.record({
        seconds: fc.integer({ min: 1, max: 10 }),
        demands: fc.array(demand, { minLength: processes, maxLength: processes }),
      }),
      { minLength: 1, maxLength: 8 },
    ),
    delayMs: fc.constantFrom(0, 250, 500, 750),
  }),
);

test('over a minute, processes with any demand accept within 10 % of the limit, and of what one bucket would', () => {
  fc.assert(
    fc.property(patterns, (pattern) => {
      const { shared, single } = simulate(pattern);
      assert.ok(shared <= allowed * 1.1, `${shared} accepted of ${allowed}`);
      assert.ok(shared >= single - allowed * 0.1, `${shared} accepted; a single bucket accepts ${single}`);
    }),
    { numRuns: 300, seed: 19 },
  );
});

test('uneven demand above the limit at four processes is accepted at the limit', () => {
  const phases = [{ seconds: 60, demands: [300, 60, 20, 0] }];
  const { shared } = simulate({ phases, delayMs: 500 });
  assert.ok(Math.abs(shared - allowed) <= allowed * 0.02, `${shared} accepted of ${allowed}`);
});

test('demand below the limit is accepted whole, however it is spread', () => {
  const phases = [{ seconds: 60, demands: [70, 15, 5] }];
  assert.equal(simulate({ phases, delayMs: 500 }).shared, 90 * measuredSeconds);
});

test('without news, a process keeps its last share', () => {
  const limit = new SharedLimit(perSecond, 0);
  const other = { demandPerSecond: 300, acceptedTotal: 0 };
  const ask = (fromMs: number, seconds: number) => {
    let accepted = 0;
    for (let ms = 0; ms < seconds * 1000; ms += stepMs) if (limit.tryTake(fromMs + ms)) accepted += 1;
    return accepted;
  };
  for (let period = 0; period < 20; period += 1) {
    ask(period * exchangeMs, exchangeMs / 1000);
    limit.report((period + 1) * exchangeMs);
    const acceptedTotal = ((period + 1) * exchangeMs * perSecond * 0.75) / 1000;
    limit.learn(new Map([['other', { ...other, acceptedTotal }]]), (period + 1) * exchangeMs);
  }
  const accepted = ask(10_000, 60);
  assert.ok(Math.abs(accepted - allowed / 4) <= allowed * 0.05, `${accepted} accepted of a quarter`);
});

test('a total that starts again, after the limit was changed, gives the others no credit', () => {
  const acceptedWith = (totals: readonly number[]) => {
    const limit = new SharedLimit(perSecond, 0);
    let accepted = 0;
    for (const [period, acceptedTotal] of totals.entries()) {
      const fromMs = period * exchangeMs;
      for (let ms = 0; ms < exchangeMs; ms += 1) if (limit.tryTake(fromMs + ms)) accepted += 1;
      limit.report(fromMs + exchangeMs);
      limit.learn(new Map([['other', { demandPerSecond: 1_000, acceptedTotal }]]), fromMs + exchangeMs);
    }
    return accepted;
  };
  const periods = Array.from({ length: 20 }, (_, period) => (period + 1) * 25);
  const restarted = periods.map((total) => (total > 250 ? total - 250 : total));
  assert.equal(acceptedWith(restarted), acceptedWith(periods));
});

test('alone again, a process uses the whole limit', () => {
  const limit = new SharedLimit(perSecond, 0);
  limit.learn(new Map([['other', { demandPerSecond: 900, acceptedTotal: 0 }]]), 0);
  limit.learn(new Map(), exchangeMs);
  let accepted = 0;
  for (let ms = 0; ms < 10_000; ms += stepMs / 2) if (limit.tryTake(exchangeMs + ms)) accepted += 1;
  assert.ok(accepted >= perSecond * 10, `${accepted} accepted in ten seconds`);
});
