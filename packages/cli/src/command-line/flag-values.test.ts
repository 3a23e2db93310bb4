import assert from 'node:assert/strict';
import { test } from 'node:test';
import { consoleLimits } from '@fieldroster/contract/console-limits';
import { parseDuration, parseId, parseName, parseTime } from './flag-values.ts';

test('a duration is 0 or a number with its unit', () => {
  const accepted = { '0': 0, '30s': 30_000, '15m': 900_000, '24h': 86_400_000, '7d': 604_800_000, '0h': 0 };
  for (const [text, milliseconds] of Object.entries(accepted))
    assert.equal(parseDuration(text), milliseconds);
  for (const text of ['', '1', '-1h', '1.5h', '1H', '24 h', '3651d', '1e3s', '9999999999s']) {
    assert.throws(() => parseDuration(text), { message: /30s, 15m, 24h, 7d/ }, text);
  }
});

test('a name fits on a line, and is as long as the console takes it', () => {
  assert.equal(parseName('HR sync 人事'), 'HR sync 人事');
  assert.equal(parseName('a'), 'a');
  const longest = '😀'.repeat(consoleLimits.applicationNameCharactersMax);
  assert.equal(parseName(longest), longest);
  for (const text of ['', ' ', ' a', 'a ', 'a\nb', '\u0000', `${longest}x`])
    assert.throws(() => parseName(text), { message: /1 to 255 characters/ }, text);
});

test('an id is any integer that a database can hold, and no other', () => {
  for (const id of [0n, 7n, -(2n ** 63n), 2n ** 53n + 1n, 2n ** 63n - 1n])
    assert.equal(parseId(String(id)), id);
  for (const text of ['', '1.0', '0x7', '7 ', '1,000', '７', String(2n ** 63n), String(-(2n ** 63n) - 1n)])
    assert.throws(() => parseId(text), { message: /from -9223372036854775808 to 9223372036854775807/ }, text);
});

test('a time is a day of the calendar in UTC, or a moment with its zone', () => {
  const accepted = {
    '2026-01-31': Date.UTC(2026, 0, 31),
    '2028-02-29': Date.UTC(2028, 1, 29),
    '2026-01-31T12:00:00Z': Date.UTC(2026, 0, 31, 12),
    '2026-01-31T12:00:00.123Z': Date.UTC(2026, 0, 31, 12, 0, 0, 123),
    '2026-01-31T14:00+02:00': Date.UTC(2026, 0, 31, 12),
  };
  for (const [text, ms] of Object.entries(accepted)) assert.equal(parseTime(text), ms, text);
  const days = ['', 'yesterday', '2026-02-30', '2026-02-29', '2026-13-01', '2026-1-1', '２０２６-01-01'];
  const times = [
    '2026-01-31T12:00',
    '2026-01-31 12:00Z',
    '2026-01-31 (x)',
    '2026-01-31T25:00Z',
    '1795772216',
  ];
  for (const text of [...days, ...times])
    assert.throws(() => parseTime(text), { message: /a day, .* or a time with its zone/ }, text);
});

test('a moment in another form is refused with the form to write', () => {
  const written = {
    '20261130': '2026-11-30',
    '2026/11/30': '2026-11-30',
    '2026-1-3': '2026-01-03',
    '1795996800': '2026-11-30T00:00:00.000Z',
    '1795996800123': '2026-11-30T00:00:00.123Z',
    '2026-11-30T18:45': '2026-11-30T18:45Z if it is in UTC',
    '2026-11-30 18:45:12': '2026-11-30T18:45:12Z if it is in UTC',
    '2026-11-30 18:45:12Z': '2026-11-30T18:45:12Z',
    '2026-11-30 18:45:12+0100': '2026-11-30T18:45:12+01:00',
  };
  for (const [text, form] of Object.entries(written)) {
    assert.throws(() => parseTime(text), { message: new RegExp(`; write ${RegExp.escape(form)}\\.$`) }, text);
    assert.doesNotThrow(() => parseTime(form.replace(' if it is in UTC', '')), form);
  }
  for (const text of ['20261131', '2026-13-01 10:00', '5', 'yesterday', '2026-11-30T25:00'])
    assert.throws(() => parseTime(text), { message: /T14:00\+02:00\.$/ }, text);
});

test('a date in place of a duration is named as one', () => {
  for (const text of ['2026-11-30', '20261130', '2026-11-30T10:00:00Z', '1795996800', '1795996800123'])
    assert.throws(
      () => parseDuration(text),
      { message: /24h, 7d; it is a length of time, not a date\.$/ },
      text,
    );
  for (const text of ['24', 'week'])
    assert.throws(() => parseDuration(text), { message: /24h, 7d\.$/ }, text);
});
