import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeSearch, foundOne } from './ldap.ts';

// The bytes that OpenLDAP 2.5's ldapsearch sends for this search, apart from the message id.
const known =
  '3036020101633104126f753d70656f706c652c64633d62656e63680a01020a0100020100020100010100a30a04037569640403612e623000';

const entry = Buffer.from('300b02010164060401783001ff', 'hex');
const done = (code: number) => Buffer.from([0x30, 12, 2, 1, 1, 0x65, 7, 10, 1, code, 4, 0, 4, 0]);

test('a search is encoded like that of ldapsearch', () => {
  assert.equal(encodeSearch('ou=people,dc=bench', 'uid', 'a.b').toString('hex'), known);
});

test('a search succeeds after one entry and its end, however the bytes are split', () => {
  const answer = Buffer.concat([entry, done(0)]);
  for (let length = 0; length < answer.length; length += 1) {
    assert.equal(foundOne(answer.subarray(0, length)), undefined);
  }
  assert.equal(foundOne(answer), true);
});

test('no entry, more than one, or a code other than 0 is a failure', () => {
  assert.equal(foundOne(done(0)), false);
  assert.equal(foundOne(Buffer.concat([entry, entry, done(0)])), false);
  assert.equal(foundOne(Buffer.concat([entry, done(3)])), false);
});
