import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bodyHolder } from './body-holder.ts';

test('a client of known address may take half of the memory, together with its network', () => {
  for (const address of ['2001:db8::1', '2001:db8::2'])
    assert.deepEqual(bodyHolder(address, '192.0.2.1'), { name: '2001:db8:0:0', partMax: 1 / 2 });
});

test('behind a proxy that is not named, clients count as its address, and leave others a quarter', () => {
  assert.deepEqual(bodyHolder(undefined, '192.0.2.1'), { name: '192.0.2.1', partMax: 3 / 4 });
  assert.equal(bodyHolder('192.0.2.1', '192.0.2.1').name, '192.0.2.1', 'the header gives no second share');
});

test('a connection that has closed meanwhile has a holder too', () => {
  assert.equal(bodyHolder(undefined, undefined).name, '');
});
