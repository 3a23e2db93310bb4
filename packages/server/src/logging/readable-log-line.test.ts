import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { readableLogLine } from './readable-log-line.ts';

const time = new Date(2026, 0, 31, 9, 5, 7, 42).getTime();

const call = {
  ...{ level: 30, time, request_id: 'r-1', address: '10.0.0.9', duration_ms: 1.234 },
  ...{ operation: 'query-user', app_id: 'fr0123456789abcdef01', code: 0, msg: 'request' },
};

function readable(line: object, colour = false): string {
  return readableLogLine(`${JSON.stringify(line)}\n`, colour);
}

test('a call becomes its time, application, operation, code and duration', () => {
  assert.equal(
    readable(call),
    '09:05:07.042  fr0123456789abcdef01  query-user                   0     1.2 ms\n',
  );
});

test('a refused call also has its reason, and an unknown operation or application a dash', () => {
  const line = { ...call, operation: null, app_id: null, code: 1005, reason: 'no operation at /x' };
  assert.match(readable(line), /^09:05:07\.042 {2}- +- +1005 +1\.2 ms {2}no operation at \/x\n$/);
});

test("a fault of the server has the request's id and the cause, with its stack on indented lines", () => {
  const line = { ...call, level: 50, code: 1500, cause: 'Error: gone\n    at read (a.ts:1:2)' };
  const [first, second, end] = readable(line).split('\n');
  assert.match(first ?? '', /^09:05:07\.042 {2}ERROR {2}fr01.* 1500 .*request_id=r-1 {2}Error: gone$/);
  assert.deepEqual([second, end], ['    at read (a.ts:1:2)', '']);
});

test('any other line has its message and fields', () => {
  const line = {
    level: 40,
    time,
    check: 'database',
    problem: 'no answer',
    checks: [1],
    msg: 'there is a problem',
  };
  assert.equal(
    readable(line),
    '09:05:07.042  WARN  there is a problem  check=database  problem="no answer"  checks=[1]\n',
  );
});

test('another line that has a duration keeps its message', () => {
  const line = {
    level: 30,
    time,
    file: '/backup/a.backup',
    duration_ms: 1933,
    msg: 'made and verified a backup',
  };
  assert.equal(
    readable(line),
    '09:05:07.042  made and verified a backup  file=/backup/a.backup  duration_ms=1933\n',
  );
});

test('a field without a value is left out', () => {
  const line = { level: 50, time, pid: 7, exit_code: null, signal: 'SIGKILL', msg: 'a worker ended' };
  assert.equal(readable(line), '09:05:07.042  ERROR  a worker ended  pid=7  signal=SIGKILL\n');
});

test('text that a caller chose cannot steer the terminal or begin a line of its own', () => {
  const hostile = '\u001b[2J\r\nforged\u0085\u202e\u2028';
  for (const name of ['app_id', 'reason', 'operation']) {
    const text = readable({ ...call, code: 1013, [name]: hostile });
    assert.equal(text.indexOf('\n'), text.length - 1, name);
    assert.doesNotMatch(text.trimEnd(), /[\p{Cc}\p{Cf}\p{Zl}]/u, name);
    assert.match(text, /\\u\{001b\}\[2J\\u\{000d\}\\u\{000a\}forged\\u\{0085\}\\u\{202e\}\\u\{2028\}/, name);
  }
  assert.match(readable({ ...call, cause: hostile }), /\n {4}forged/, 'lines of a cause are indented');
});

test('colours mark the time, the codes of failures and the level, and change no text', () => {
  const failure = { ...call, code: 1102, reason: 'taken' };
  assert.equal(stripVTControlCharacters(readable(failure, true)), readable(failure));
  assert.ok(readable(failure, true).includes('\u001b[33m1102\u001b[39m'));
  assert.ok(!readable(call, true).includes('\u001b[33m'));
  assert.ok(readable({ ...call, level: 50 }, true).includes('\u001b[31mERROR'));
});

test('a line that is not a JSON object is kept', () => {
  assert.equal(readableLogLine('not JSON\u0007\n', false), 'not JSON\\u{0007}\n');
  assert.equal(readableLogLine('12\n', false), '12\n');
});
