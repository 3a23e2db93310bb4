import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { endOnSecondSignal } from './end-on-second-signal.ts';

/** Sends signals at the given milliseconds to a handler, and returns what it did. */
function send(t: TestContext, ...signals: (readonly [atMs: number, signal: NodeJS.Signals])[]): string[] {
  const did: string[] = [];
  let nowMs = 0;
  t.mock.method(performance, 'now', () => nowMs);
  t.mock.method(process, 'exit', (code: number) => did.push(`exit ${code}`));
  const handle = endOnSecondSignal(
    (signal) => did.push(`end orderly on ${signal}`),
    (signal) => (signal === 'SIGINT' ? 130 : 143),
  );
  for (const [atMs, signal] of signals) {
    nowMs = atMs;
    handle(signal);
  }
  return did;
}

test('signals within 300 ms of the first count as one', (t) => {
  const did = send(t, [1_000, 'SIGINT'], [1_000, 'SIGTERM'], [1_300, 'SIGINT']);
  assert.deepEqual(did, ['end orderly on SIGINT']);
});

test('a later signal ends the process with the exit code for that signal', (t) => {
  const did = send(t, [1_000, 'SIGINT'], [1_301, 'SIGTERM']);
  assert.deepEqual(did, ['end orderly on SIGINT', 'exit 143']);
});
