import assert from 'node:assert/strict';
import { Socket } from 'node:net';
import { test } from 'node:test';
import { readSettings } from '../../config.ts';
import { Logger } from '../../logging/logger.ts';
import { createLimits } from './create-limits.ts';
import { requestBytes } from './memory-shares.ts';

test('no more refusals are held than their share of the memory and the connections allow', () => {
  const logger = new Logger('silent', () => {});
  for (const { connectionsMax, heldRefusals } of [
    { connectionsMax: 100, heldRefusals: 3 * requestBytes },
    { connectionsMax: 3, heldRefusals: 100 * requestBytes },
  ]) {
    const settings = { ...readSettings({}, {}), connectionsMax };
    const { refusalPace } = createLimits({ settings, logger }, { heldRefusals });
    const socket = new Socket();
    for (let count = 0; count < 50; count += 1) refusalPace.send(socket, () => {});
    assert.equal(refusalPace.heldCount, 3);
    refusalPace.end();
  }
});
