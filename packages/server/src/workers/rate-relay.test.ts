import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AllRatesMessage } from './messages.ts';
import { RateRelay } from './rate-relay.ts';

const use = (acceptedTotal: number) => ({ app: { demandPerSecond: 10, acceptedTotal } });

test('each worker gets the reports of the others, and one of them is the leader', () => {
  const last = new Map<string, AllRatesMessage>();
  const relay = new RateRelay<string>((worker, message) => last.set(worker, message));
  relay.take('a', { own: { processA: use(1) } });
  relay.take('b', { own: { processB: use(2) } });
  relay.take('a', { own: { processA: use(3) } });
  assert.deepEqual(last.get('a'), {
    kind: 'rates',
    siblings: { processB: use(2) },
    remote: {},
    isLeader: true,
  });
  assert.equal(last.get('b')?.isLeader, false);
});

test('what the leader learns from other nodes reaches all, and after its end another worker leads', () => {
  const last = new Map<string, AllRatesMessage>();
  const relay = new RateRelay<string>((worker, message) => last.set(worker, message));
  relay.take('a', { own: { processA: use(1) } });
  relay.take('b', { own: { processB: use(2) } });
  relay.take('a', { own: { processA: use(1) }, remote: { elsewhere: use(9) } });
  assert.deepEqual(last.get('b')?.remote, { elsewhere: use(9) });
  relay.forget('a');
  relay.take('b', { own: { processB: use(3) } });
  assert.deepEqual(last.get('b'), {
    kind: 'rates',
    siblings: {},
    remote: { elsewhere: use(9) },
    isLeader: true,
  });
});
