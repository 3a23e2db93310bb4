import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Logger, type LogLevel } from './logger.ts';

function loggerInto(lines: string[], level: LogLevel = 'info'): Logger {
  return new Logger(level, (line) => lines.push(line));
}

const names = fc.stringMatching(/^[a-z_]{1,8}$/).filter((name) => !/^(level|time|msg|__proto__)$/.test(name));
const anyFields = fc.dictionary(names, fc.jsonValue({ maxDepth: 1 }), { noNullPrototype: true, maxKeys: 4 });

test('a line is one JSON object with level, time, the bound fields, the fields and the message', () => {
  fc.assert(
    fc.property(anyFields, anyFields, fc.string({ unit: 'binary' }), (bound, fields, message) => {
      const lines: string[] = [];
      const before = Date.now();
      loggerInto(lines).with(bound).warn(fields, message);
      const [line = ''] = lines;
      assert.equal(line.indexOf('\n'), line.length - 1);
      const { time, ...rest } = JSON.parse(line) as { time: number };
      assert.ok(time >= before && time <= Date.now());
      assert.deepEqual(rest, JSON.parse(JSON.stringify({ level: 40, ...bound, ...fields, msg: message })));
    }),
  );
});

test('text that a caller chose cannot steer a terminal that shows the lines as they are, and is kept', () => {
  const hostile = '\u001b[2J\r\n\u007f\u009b31m\u0085\u202e\u2066\u2028\u2029\u{e0041}\ud800 李雷';
  const lines: string[] = [];
  const logger = loggerInto(lines);
  logger.with({ bound: hostile }).info({ reason: hostile }, hostile);
  const [line = ''] = lines;
  assert.doesNotMatch(line.trimEnd(), /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
  const { bound, reason, msg } = JSON.parse(line) as Record<string, unknown>;
  assert.deepEqual([bound, reason, msg], [hostile, hostile, hostile]);
  assert.match(line, /李雷/);
});

test('a level suppresses less severe lines, including those of bound loggers', () => {
  const written = (level: LogLevel) => {
    const lines: string[] = [];
    for (const logger of [loggerInto(lines, level), loggerInto(lines, level).with({ bound: true })]) {
      for (const each of ['info', 'warn', 'error'] as const) logger[each]({}, each);
    }
    return lines.map((line) => JSON.parse(line).msg);
  };
  assert.deepEqual(written('info'), ['info', 'warn', 'error', 'info', 'warn', 'error']);
  assert.deepEqual(written('warn'), ['warn', 'error', 'warn', 'error']);
  assert.deepEqual(written('error'), ['error', 'error']);
  assert.deepEqual(written('silent'), []);
});

test('a field without a value is left out', () => {
  const lines: string[] = [];
  loggerInto(lines).with({ a: undefined }).info({ b: undefined, c: null }, 'message');
  assert.match(lines[0] ?? '', /^\{"level":30,"time":\d+,"c":null,"msg":"message"\}\n$/);
});
