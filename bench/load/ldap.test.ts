import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inLdap, readLdapAnswer } from './ldap.ts';

const search = inLdap('ou=people,dc=bench', 'uid');

// What ldapsearch of OpenLDAP 2.5 sends for this search, but for the number of its message.
const known =
  '3036020101633104126f753d70656f706c652c64633d62656e63680a01020a0100020100020100010100a30a04037569640403612e623000';

const entry = Buffer.from('300b02010164060401783001ff', 'hex').subarray(0, 13);
const done = (code: number) => Buffer.from([0x30, 12, 2, 1, 1, 0x65, 7, 10, 1, code, 4, 0, 4, 0]);

test('a search is encoded as the protocol says', () => {
  assert.equal(search({ method: 'SEARCH', target: 'a.b' }).toString('hex'), known);
});

test('a search has succeeded when one entry came and then the end, however they were cut', () => {
  const answer = Buffer.concat([entry, done(0)]);
  for (let length = 0; length < answer.length; length += 1) {
    assert.equal(readLdapAnswer(answer.subarray(0, length)), undefined);
  }
  assert.equal(readLdapAnswer(answer), true);
});

test('no entry, more than one, or a code other than 0 is a failure', () => {
  assert.equal(readLdapAnswer(done(0)), false);
  assert.equal(readLdapAnswer(Buffer.concat([entry, entry, done(0)])), false);
  assert.equal(readLdapAnswer(Buffer.concat([entry, done(3)])), false);
});
