import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { type Treatment, UnreliableProxy } from '../../../client/test/unreliable-proxy.ts';
import { ImportBench, readResults } from '../../test/import-bench.ts';
import { collect, startCommand } from '../../test/run-command.ts';

const bench = await ImportBench.open('locked');
const { env } = bench.tenant('locked');
const proxy = await UnreliableProxy.start(Number(new URL(env.FIELDROSTER_URL).port));
const busy = {
  status: 503,
  headers: { 'Retry-After': '1' },
  body: JSON.stringify({ code: 1503, message: 'busy' }),
};

/** Starts an import and waits until it sends rows, which get this treatment until the import is let go. */
async function startHeld(path: string, treatment: Treatment) {
  let isHeld = true;
  let batches = 0;
  proxy.treat = (_count, { target }) => {
    if (!target.endsWith('/batch')) return 'deliver';
    batches += 1;
    return isHeld ? treatment : 'deliver';
  };
  const child = startCommand(['user', 'import', path], { env: { ...env, FIELDROSTER_URL: proxy.url } });
  const ended = collect(child);
  while (batches === 0 && child.exitCode === null) await delay(1);
  const letGo = () => {
    isHeld = false;
  };
  return { child, ended, letGo };
}

test.after(() => proxy.close());

test('an import is refused while another writes the same result file, and leaves that one alone', async () => {
  const path = bench.write('twice.csv', 'username\ntwice.a\ntwice.b\n');
  const first = await startHeld(path, busy);
  const second = await collect(startCommand(['user', 'import', path, '--restart'], { env }));
  assert.equal(second.exitCode, 2, second.stderr);
  assert.equal(
    second.stderr,
    `fieldroster: another import (process ${first.child.pid}) is writing ${path}.result.csv; wait until it ends, or give another --result\n`,
  );
  const trial = await collect(startCommand(['user', 'import', path, '--dry-run'], { env }));
  assert.equal(trial.exitCode, 0, trial.stderr);
  first.letGo();
  const { exitCode, stderr } = await first.ended;
  assert.equal(exitCode, 0, stderr);
  assert.deepEqual(
    readResults(`${path}.result.csv`).map(([line]) => line),
    ['2', '3'],
  );
  assert(!existsSync(`${path}.result.csv.lock`));
});

test('the lock of an import that was killed keeps nobody out', async () => {
  const path = bench.write('killed.csv', 'username\nkilled\n');
  const first = await startHeld(path, 'hold');
  first.child.kill('SIGKILL');
  await first.ended;
  assert(existsSync(`${path}.result.csv.lock`));
  const { exitCode, stderr } = await collect(startCommand(['user', 'import', path], { env }));
  assert.equal(exitCode, 0, stderr);
  assert(!existsSync(`${path}.result.csv.lock`));
});

test('a lock file that is none is named, with what to do', async () => {
  const path = bench.write('foreign.csv', 'username\nforeign\n');
  writeFileSync(`${path}.result.csv.lock`, 'x'.repeat(1000));
  const { exitCode, stderr } = await collect(startCommand(['user', 'import', path], { env }));
  assert.equal(exitCode, 1);
  assert.equal(
    stderr,
    `fieldroster: ${path}.result.csv.lock cannot be locked (file is not a database); remove it once no import runs, or give a --result on another disk\n`,
  );
});
