import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectionFault } from '../../../client/src/connection-fault.ts';
import { faults } from './send-signed.ts';

test('`call` reports each fault of a connection in the words of the client', () => {
  for (const [code, message] of Object.entries(faults))
    assert.equal(message, connectionFault({ code }).message, code);
});
