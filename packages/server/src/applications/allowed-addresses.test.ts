import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AllowedAddresses, allowedAddressProblem } from './allowed-addresses.ts';

test('addresses and networks of both families are accepted', () => {
  const entries = [
    '192.0.2.7',
    '10.0.0.0/8',
    '0.0.0.0/1',
    '2001:db8::/32',
    '::1',
    '::ffff:192.0.2.7',
    'fe80::1/128',
  ];
  for (const entry of entries) assert.equal(allowedAddressProblem(entry), undefined, entry);
});

test('anything else is refused, and the message names it', () => {
  const wrong = ['', 'shop.example', '10.0.0', '10.0.0.1/', '10.0.0.1/33', '10.0.0.0/0', '::/0', '::1/129'];
  for (const entry of [...wrong, '10.0.0.0/8/8', '10.0.0.0/-1', 'fe80::1%eth0', ' 10.0.0.1', '10.0.0.1/8x']) {
    assert.equal(allowedAddressProblem(entry)?.values.entry, JSON.stringify(entry));
  }
});

test('an address is found alone or in a network, and its neighbours are not', () => {
  const allowed = new AllowedAddresses(['192.0.2.7', '10.1.0.0/16', '2001:db8::/33', '::1']);
  for (const inside of ['192.0.2.7', '10.1.255.255', '2001:db8:7fff::1', '::1']) {
    assert.ok(allowed.includes(inside), inside);
  }
  for (const outside of ['192.0.2.8', '10.2.0.0', '2001:db8:8000::1', '::2', '127.0.0.1']) {
    assert.ok(!allowed.includes(outside), outside);
  }
});

test('an IPv4 address may be written as IPv6, in the list and by the system', () => {
  assert.ok(new AllowedAddresses(['10.0.0.0/8']).includes('::ffff:10.1.2.3'));
  assert.ok(new AllowedAddresses(['10.0.0.0/8']).includes('::ffff:a01:203'));
  assert.ok(!new AllowedAddresses(['10.0.0.0/8']).includes('::ffff:11.1.2.3'));
  assert.ok(new AllowedAddresses(['::ffff:10.0.0.0/104']).includes('10.1.2.3'));
});

test('the zone of a link-local address does not matter, and other text matches no list', () => {
  assert.ok(new AllowedAddresses(['fe80::/10']).includes('fe80::1%eth0'));
  assert.ok(!new AllowedAddresses(['fe80::/10']).includes('somewhere'));
});
