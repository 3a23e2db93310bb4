import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { test } from 'node:test';
import { paceRefusals } from './pace-refusals.ts';

test('40 refusals are answered at once, and each next 40 after 10 ms, in order', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const answered: unknown[] = [];
  const refuse = paceRefusals((request) => answered.push(request));
  const send = (count: number) => {
    for (let index = 0; index < count; index += 1)
      refuse(sent++ as unknown as IncomingMessage, {} as ServerResponse);
  };
  let sent = 0;
  send(90);
  assert.equal(answered.length, 40);
  t.mock.timers.tick(10);
  assert.equal(answered.length, 80);
  t.mock.timers.tick(10);
  send(31);
  assert.equal(answered.length, 120);
  t.mock.timers.tick(10);
  assert.deepEqual(
    answered,
    Array.from({ length: 121 }, (_, index) => index),
  );
  t.mock.timers.tick(10);
  send(40);
  assert.equal(answered.length, 161);
});

test('8192 refusals may wait; a further one is answered at once', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let answered = 0;
  const refuse = paceRefusals(() => {
    answered += 1;
  });
  const send = () => refuse({} as IncomingMessage, {} as ServerResponse);
  for (let count = 0; count < 40 + 8192; count += 1) send();
  assert.equal(answered, 40);
  send();
  assert.equal(answered, 41);
});
