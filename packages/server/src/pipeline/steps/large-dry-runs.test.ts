import assert from 'node:assert/strict';
import { test } from 'node:test';
import { currentDeadline, Deadline, runUnderDeadline } from '../../time/deadline.ts';
import { LargeDryRuns } from './large-dry-runs.ts';

const { signal } = new AbortController();
function measured(dryRuns: LargeDryRuns) {
  const values = new Map(dryRuns.metricSources().map(({ name, read }) => [name, read()]));
  return {
    running: values.get('fieldroster_running_large_dry_runs'),
    queued: values.get('fieldroster_queued_large_dry_runs'),
    refused: values.get('fieldroster_large_dry_runs_refused_total'),
  };
}

const of = (owner: string) => new Deadline(10_000, { owner });

test('two large dry runs run at once, and applications take turns', async () => {
  const dryRuns = new LargeDryRuns();
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const make = async () => {
    begun.push(currentDeadline()?.owner ?? 'nobody');
    await new Promise<void>((resolve) => ends.push(resolve));
  };
  const run = (owner: string) => runUnderDeadline(of(owner), () => dryRuns.run(1_000, signal, make));
  const running = ['noisy', 'noisy', 'noisy', 'noisy', 'other'].map(run);
  assert.deepEqual(begun, ['noisy', 'noisy']);
  assert.deepEqual(measured(dryRuns), { running: 2, queued: 3, refused: 0 });
  for (const end of ends.splice(0)) end();
  await Promise.all(running.slice(0, 2));
  assert.deepEqual(begun.slice(2).sort(), ['noisy', 'other']);
  for (const end of ends.splice(0)) end();
  await Promise.all([running[2], running[4]]);
  for (const end of ends) end();
  await Promise.all(running);
  assert.deepEqual(measured(dryRuns), { running: 0, queued: 0, refused: 0 });
});

test('a dry run whose deadline passes while it waits is not begun', async () => {
  const dryRuns = new LargeDryRuns();
  let nowMs = 0;
  const deadline = new Deadline(10_000, { owner: 'app', now: () => nowMs });
  const ends: (() => void)[] = [];
  const running = [1, 2].map(() =>
    runUnderDeadline(of('app'), () =>
      dryRuns.run(1_000, signal, () => new Promise<void>((end) => ends.push(end))),
    ),
  );
  const late = runUnderDeadline(deadline, () => dryRuns.run(1_000, signal, async () => assert.fail('made')));
  nowMs = 10_000;
  for (const end of ends) end();
  await assert.rejects(late, {
    name: 'BusyError',
    message: /^the call waited too long in the queue for dry runs/,
  });
  await Promise.all(running);
  assert.deepEqual(measured(dryRuns), { running: 0, queued: 0, refused: 1 });
});

test('a dry run of fewer rows does not wait', async () => {
  const dryRuns = new LargeDryRuns();
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const run = (rows: number, make: () => Promise<unknown>) =>
    runUnderDeadline(of('app'), () => dryRuns.run(rows, signal, make));
  const large = [1, 2].map(() => run(1_000, () => ended));
  assert.equal(await run(999, async () => 'made'), 'made');
  end();
  await Promise.all(large);
});

test('a large dry run outside a call is made at once', async () => {
  const dryRuns = new LargeDryRuns();
  const ends: (() => void)[] = [];
  const running = [1, 2, 3].map(() =>
    dryRuns.run(1_000, signal, () => new Promise<void>((end) => ends.push(end))),
  );
  assert.equal(ends.length, 3);
  for (const end of ends) end();
  await Promise.all(running);
});
