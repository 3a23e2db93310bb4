import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDuration, parseName } from './flag-values.ts';

test('a duration is 0 or a number with its unit', () => {
  const accepted = { '0': 0, '30s': 30_000, '15m': 900_000, '24h': 86_400_000, '7d': 604_800_000, '0h': 0 };
  for (const [text, milliseconds] of Object.entries(accepted))
    assert.equal(parseDuration(text), milliseconds);
  for (const text of ['', '1', '-1h', '1.5h', '1H', '24 h', '3651d', '1e3s', '9999999999s']) {
    assert.throws(() => parseDuration(text), { message: /30s, 15m, 24h, 7d/ }, text);
  }
});

test('a name fits on a line', () => {
  assert.equal(parseName('HR sync 人事'), 'HR sync 人事');
  assert.equal(parseName('😀'.repeat(255)), '😀'.repeat(255));
  for (const text of ['', ' a', 'a ', 'a\nb', '\u0000', 'x'.repeat(256)])
    assert.throws(() => parseName(text), { message: /1 to 255 characters/ }, text);
});
