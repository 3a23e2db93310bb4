import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkOf } from './network-of.ts';

test('an IPv4 address counts as one sender, in either notation', () => {
  assert.equal(networkOf('203.0.113.7'), '203.0.113.7');
  assert.equal(networkOf('::ffff:203.0.113.7'), '203.0.113.7');
});

test('all addresses of an IPv6 network count as one sender', () => {
  assert.equal(networkOf('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2');
  assert.equal(networkOf('2001:db8:1:2::9'), '2001:db8:1:2');
  assert.equal(networkOf('2001:db8::9'), '2001:db8:0:0');
  assert.equal(networkOf('::1'), '0:0:0:0');
  assert.equal(networkOf('64:ff9b::203.0.113.7'), '64:ff9b:0:0');
  assert.equal(networkOf('::ffff:0:1'), '0:0:0:0');
  assert.equal(networkOf('2001::2:3:4:5:6:7'), '2001:0:2:3');
});
