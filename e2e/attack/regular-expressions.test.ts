import assert from 'node:assert/strict';
import { test } from 'node:test';
import { analyse } from 'scslre';
import { findExpressions } from './find-expressions.ts';
import { otherFiles, requestExpressions, toleratedExpressions } from './request-expressions.ts';

const expressions = await findExpressions();
const names = new Set(expressions.map(({ name }) => name));

test('every regular expression of the packages takes linear time, except a few that are applied only to our own short texts', () => {
  assert.ok(expressions.length > 80, 'the expressions are found');
  const slow = expressions.filter(({ expression }) => analyse(expression).reports.length > 0);
  assert.deepEqual(slow.map(({ name }) => name).sort(), Object.keys(toleratedExpressions).sort());
});

test('every regular expression of the server that is applied to a request is listed with its worst case', () => {
  const ofServer = [...names].filter((name) => /^(packages\/(server|signing)|contract) ?/.test(name));
  const others = Object.keys(otherFiles);
  const meetRequests = ofServer.filter((name) => !others.some((file) => name.startsWith(file)));
  assert.deepEqual(meetRequests.sort(), Object.keys(requestExpressions).sort());
  for (const file of others)
    assert.ok(
      ofServer.some((name) => name.startsWith(file)),
      `${file} has none`,
    );
});

/** More than an expression needs that examines each character a few times. */
const linearMsMax = 5;

for (const { name, expression } of expressions) {
  const listed = requestExpressions[name];
  if (listed === undefined) continue;
  test(`four times the text takes at most eight times the work for ${name}`, () => {
    const [once, fourTimes] = [workOf(expression, listed, 1), workOf(expression, listed, 4)];
    assert.ok(
      fourTimes < 8 * once || fourTimes < linearMsMax,
      `${once} ms for the largest text, ${fourTimes} ms for four times as much`,
    );
  });
}

/**
 * Returns the shortest of ten measurements, in milliseconds, for a worst case of that many times the largest size.
 * Measures processor time, because a busy machine may take the core away in every one of them.
 */
function workOf(
  expression: RegExp,
  { charactersMax, worst }: (typeof requestExpressions)[string],
  times: number,
): number {
  const text = worst(charactersMax * times);
  const durations = Array.from({ length: 10 }, () => {
    const before = process.threadCpuUsage();
    text.replace(expression, '');
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1_000;
  });
  return Math.min(...durations);
}
