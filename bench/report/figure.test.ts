import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Scenario } from '../measurement.ts';
import { loadWasTheLimit, markIsMet, spread, toFigure } from './figure.ts';

const scenario: Scenario = {
  name: 'a',
  title: 'A',
  comparedTo: 'B',
  unit: 'req/s',
  better: 'higher',
  mark: 0.35,
  measured: () => Promise.reject(new Error('is not run here')),
  reference: () => Promise.reject(new Error('is not run here')),
};

test('a ratio is formed within each round, not between medians', () => {
  const measured = [{ value: 10 }, { value: 40 }, { value: 30 }];
  const reference = [{ value: 100 }, { value: 100 }, { value: 50 }];
  const { ratio } = toFigure(scenario, { measured, reference });
  assert.deepEqual(ratio, { median: 0.4, min: 0.1, max: 0.6 });
});

test('the median of an even number of rounds lies between the middle two', () => {
  assert.deepEqual(spread([4, 1, 3, 2]), { median: 2.5, min: 1, max: 4 });
});

test('failures of both sides are counted', () => {
  const rounds = { measured: [{ value: 1, failures: 2 }], reference: [{ value: 1, failures: 3 }] };
  assert.equal(toFigure(scenario, rounds).failures, 5);
});

test('a promised ratio is met from the mark on, upward or downward', () => {
  const at = (value: number, better: 'higher' | 'lower') =>
    markIsMet(toFigure({ ...scenario, better }, { measured: [{ value }], reference: [{ value: 1 }] }));
  assert.deepEqual([at(0.35, 'higher'), at(0.34, 'higher')], [true, false]);
  assert.deepEqual([at(0.35, 'lower'), at(0.36, 'lower')], [true, false]);
});

test('a promised value is met up to the limit, whatever the ratio is', () => {
  const at = (value: number) =>
    markIsMet(
      toFigure(
        { name: 'a', title: 'A', comparedTo: 'B', unit: 'ms', better: 'lower', limit: 50 },
        { measured: [{ value }], reference: [{ value: 2 }] },
      ),
    );
  assert.deepEqual([at(50), at(51)], [true, false]);
});

test('the ratio per processor second leaves out the time that other programs took', () => {
  const measured = [{ value: 100, cpuShare: 0.5 }];
  const reference = [{ value: 400, cpuShare: 1 }];
  assert.equal(toFigure(scenario, { measured, reference }).ratioPerCpu?.median, 0.5);
});

test('a latency is not divided by processor time', () => {
  const rounds = { measured: [{ value: 1, cpuShare: 1 }], reference: [{ value: 1, cpuShare: 1 }] };
  assert.equal(toFigure({ ...scenario, unit: 'ms', better: 'lower' }, rounds).ratioPerCpu, null);
});

test('a generator that uses all of its core is told', () => {
  const rounds = { measured: [{ value: 1 }], reference: [{ value: 1, loadCpuShare: 0.99 }] };
  assert.equal(loadWasTheLimit(toFigure(scenario, rounds)), true);
});
