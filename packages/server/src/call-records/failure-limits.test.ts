import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FailureLimits, failuresPerMinute, type LimitedFailure } from './failure-limits.ts';

const base: LimitedFailure = {
  verified: true,
  appId: 'a',
  operation: 'query-user',
  code: 1101,
  network: '192.0.2.1',
};

/** Returns how many of many failures are kept. */
function keptOf(limits: FailureLimits, make: (index: number) => Partial<LimitedFailure>, nowMs = 0): number {
  let kept = 0;
  for (let index = 0; index < 2_000; index += 1) {
    if (limits.admit({ ...base, ...make(index) }, nowMs)) kept += 1;
  }
  return kept;
}

test('one code of a network of strangers, one network, all strangers, one kind and all failures have their limits', () => {
  const stranger = { verified: false } as const;
  assert.equal(
    keptOf(new FailureLimits(), () => stranger),
    failuresPerMinute.networkCode,
  );
  assert.equal(
    keptOf(new FailureLimits(), (index) => ({ ...stranger, code: index })),
    failuresPerMinute.network,
  );
  const fromMany = (index: number) => ({ ...stranger, network: `network-${index}` });
  assert.equal(keptOf(new FailureLimits(), fromMany), failuresPerMinute.unverified);
  assert.equal(
    keptOf(new FailureLimits(), () => ({})),
    failuresPerMinute.kind,
  );
  assert.equal(
    keptOf(new FailureLimits(), (index) => ({ code: index })),
    failuresPerMinute.all,
  );
});

test('failures of strangers leave room for those of applications', () => {
  const limits = new FailureLimits();
  keptOf(limits, (index) => ({ verified: false, network: `network-${index}` }));
  assert.equal(
    keptOf(limits, () => ({})),
    failuresPerMinute.kind,
  );
});

test('a loop of one stranger leaves room for other failures from its network', () => {
  const limits = new FailureLimits();
  keptOf(limits, () => ({ verified: false, code: 1013 }));
  assert.equal(
    keptOf(limits, () => ({ verified: false, code: 1014 })),
    failuresPerMinute.network - failuresPerMinute.networkCode,
  );
});

test('the limits begin again with each minute', () => {
  const limits = new FailureLimits();
  keptOf(limits, () => ({}));
  assert.equal(
    keptOf(limits, () => ({}), 59_999),
    0,
  );
  assert.equal(
    keptOf(limits, () => ({}), 60_000),
    failuresPerMinute.kind,
  );
});
