import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { SeededRandom } from '../../../../e2e/seeded-random.ts';
import { UnreliableProxy } from '../../../client/test/unreliable-proxy.ts';
import { type BenchTenant, ImportBench, readResults, storeCodes } from '../../test/import-bench.ts';
import { collect, signalUntilEnded, startCommand } from '../../test/run-command.ts';

const userCount = Number(process.env.FIELDROSTER_IMPORT_USERS ?? 1000);
const storesPerUser = 10;
const kills = ['SIGKILL', 'SIGINT', 'SIGKILL', 'SIGKILL', 'SIGTERM'] as const;

const bench = await ImportBench.open('whole', 'broken', 'lossy');
const random = SeededRandom.ofRun();

/** Includes rows that fail: an interrupted import must report each of them once, too. */
function writeUsers(name: string): string {
  const rows = Array.from({ length: userCount }, (_, index) => {
    const codes = Array.from(
      { length: storesPerUser },
      (_, place) => storeCodes[(index * 7 + place * 13) % 300],
    );
    if (index % 97 === 5) codes.push('nowhere');
    const phone = index % 89 === 3 ? '1.38E+10' : `138${index}`;
    return `user.${index},${secretOf(index)},Name of ${index},${phone},Dept ${index % 9},${7 + (index % 2)},${1 + (index % 2)},${codes.join(';')}`;
  });
  return bench.write(
    name,
    `username,password,real_name,phone,department,role_id,org_id,store_codes\n${rows.join('\n')}\n`,
  );
}

const batchSize = String(Math.ceil(userCount / 100));

function importWords(path: string): string[] {
  return ['user', 'import', path, '--batch-size', batchSize, '--parallel', '3'];
}

/** A few, because the server takes long to hash each. */
function secretOf(index: number): string {
  return index % 50 === 0 ? `hush-hush-${index}` : '';
}

/** Asserts that what an interrupted import keeps has no password. */
function requireNoSecret(path: string): void {
  for (const kept of [`${path}.result.csv.state`, `${path}.result.csv`])
    assert.doesNotMatch(readFileSync(kept, 'utf8'), /hush/, kept);
}

function rowsDone(path: string): number {
  const state = `${path}.result.csv.state`;
  return existsSync(state) ? (JSON.parse(readFileSync(state, 'utf8')) as { rowsDone: number }).rowsDone : 0;
}

test(`an import that was killed and interrupted at random points and resumed leaves the same directory as an uninterrupted one (${userCount} users)`, async (t) => {
  t.diagnostic(`seed ${random.seed}`);
  // Through a proxy in this process, so that the import cannot run ahead of the test on a busy machine.
  const tenant = bench.tenant('broken');
  const proxy = await openProxy(t, tenant);
  const broken = { ...tenant, env: { ...tenant.env, FIELDROSTER_URL: proxy.url } };
  const whole = bench.tenant('whole');
  const [wholePath, brokenPath] = [writeUsers('whole.csv'), writeUsers('broken.csv')];

  const startedAtMs = performance.now();
  const uninterrupted = await collect(
    startCommand([...importWords(wholePath), '--json'], { env: whole.env }),
  );
  t.diagnostic(`uninterrupted: ${Math.round(performance.now() - startedAtMs)} ms`);
  assert.equal(uninterrupted.exitCode, 1, 'some rows fail');

  const stops: number[] = [];
  for (const signal of kills) {
    const before = rowsDone(brokenPath);
    const child = startCommand(importWords(brokenPath), { env: broken.env });
    const ended = collect(child);
    const goal = before + Math.ceil(((userCount - before) * random.integer(1, 30)) / 100);
    while (rowsDone(brokenPath) <= goal && child.exitCode === null) await delay(1);
    // The kill must be able to hit any moment of a batch, not only the one after a state was saved.
    await delay(random.integer(0, 8));
    child.kill(signal);
    const { exitCode, stdout, stderr } = await ended;
    assert.equal(exitCode, { SIGKILL: null, SIGINT: 130, SIGTERM: 143 }[signal], stderr);
    stops.push(rowsDone(brokenPath));
    requireNoSecret(brokenPath);
    if (signal !== 'SIGKILL') {
      const done = rowsDone(brokenPath);
      const told = `^imported ${done} rows of broken\\.csv: .*; ${userCount - done} rows are left\n$`;
      assert.match(stdout, new RegExp(told));
    }
    assert(rowsDone(brokenPath) > before, 'it resumes where it stopped');
  }
  assert(rowsDone(brokenPath) < userCount, 'no interruption came after the end');
  t.diagnostic(`stopped after ${stops.join(', ')} rows`);

  await refusesShortenedResult(brokenPath, broken);
  const last = await collect(startCommand([...importWords(brokenPath), '--json'], { env: broken.env }));
  assert.match(last.stderr, /resumes after \d+ rows/);
  assert(!existsSync(`${brokenPath}.result.csv.state`));
  assert.deepEqual(bench.readUsers('broken'), bench.readUsers('whole'));
  assert.equal(bench.readUsers('whole').length, userCount - failures(wholePath).length);

  const results = readResults(`${brokenPath}.result.csv`);
  assert.deepEqual(
    results.map(([line]) => line),
    Array.from({ length: userCount }, (_, index) => String(index + 2)),
  );
  assert.deepEqual(failures(brokenPath), failures(wholePath));
  const { rows, failed } = JSON.parse(last.stdout) as Record<string, number>;
  assert.deepEqual([rows, failed], [userCount, failures(wholePath).length]);
});

/** The same command cannot resume then, and must not claim that it can. */
async function refusesShortenedResult(path: string, { env }: BenchTenant): Promise<void> {
  const result = `${path}.result.csv`;
  const content = readFileSync(result);
  truncateSync(result, 10);
  const { exitCode, stderr } = await collect(startCommand(importWords(path), { env }));
  assert.equal(exitCode, 2);
  assert.match(stderr, /is shorter than the interrupted import left it; start again with --restart/);
  assert.doesNotMatch(stderr, /the same command/);
  writeFileSync(result, content);
}

function failures(path: string): string[][] {
  return readResults(`${path}.result.csv`).filter(([, , outcome]) => outcome === 'failed');
}

async function openProxy(t: TestContext, { env }: BenchTenant): Promise<UnreliableProxy> {
  const proxy = await UnreliableProxy.start(Number(new URL(env.FIELDROSTER_URL).port));
  t.after(() => proxy.close());
  return proxy;
}

for (const [signal, name, code] of [
  ['SIGINT', 'Ctrl+C', 130],
  ['SIGTERM', 'SIGTERM', 143],
] as const) {
  test(`a second ${name} ends an import that waits for its requests, with the exit code of the signal`, async (t) => {
    const tenant = bench.tenant('broken');
    const proxy = await openProxy(t, tenant);
    proxy.treat = (_count, { target }) => (target.endsWith('/batch') ? 'hold' : 'deliver');
    const path = bench.write(`held by ${signal}.csv`, 'username\nheld\n');
    const child = startCommand(['user', 'import', path], {
      env: { ...tenant.env, FIELDROSTER_URL: proxy.url },
    });
    const ended = collect(child);
    // A command that hangs must fail the test instead of blocking it.
    const timer = setTimeout(() => child.kill('SIGKILL'), 200_000);
    t.after(() => clearTimeout(timer));
    while (proxy.dropped === 0 && child.exitCode === null) await delay(1);
    child.kill(signal);
    await Promise.race([once(child.stderr as NonNullable<typeof child.stderr>, 'data'), ended]);
    await signalUntilEnded(child, signal);
    const { exitCode, stderr } = await ended;
    assert.equal(exitCode, code);
    assert.equal(
      stderr,
      `fieldroster: stopping after the requests in flight; another ${name} ends the import at once\n`,
    );
  });
}

test('a Ctrl+C ends the wait before a retry, and the same command resumes the import', async (t) => {
  const tenant = bench.tenant('broken');
  const proxy = await openProxy(t, tenant);
  let batches = 0;
  const busy = {
    status: 503,
    headers: { 'Retry-After': '250' },
    body: JSON.stringify({ code: 1503, message: 'busy' }),
  };
  proxy.treat = (_count, { target }) => {
    if (target.endsWith('/batch')) batches += 1;
    return batches < 2 ? 'deliver' : busy;
  };
  const path = bench.write('waiting.csv', 'username\nwaiting.1\nwaiting.2\nwaiting.3\n');
  const words = ['user', 'import', path, '--batch-size', '1', '--parallel', '1'];
  const env = { ...tenant.env, FIELDROSTER_URL: proxy.url };
  const child = startCommand(words, { env });
  const ended = collect(child);
  const timer = setTimeout(() => child.kill('SIGKILL'), 200_000);
  t.after(() => clearTimeout(timer));
  while (batches < 2 && child.exitCode === null) await delay(1);
  child.kill('SIGINT');
  const { exitCode, stdout, stderr } = await ended;
  assert.equal(exitCode, 130, stderr);
  assert.match(stdout, /^imported 1 row of waiting\.csv: .*; 2 rows are left\n$/);
  assert.deepEqual([batches, rowsDone(path)], [2, 1]);

  proxy.treat = () => 'deliver';
  const resumed = await collect(startCommand(words, { env }));
  assert.equal(resumed.exitCode, 0, resumed.stderr);
  assert.match(resumed.stderr, /resumes after 1 row that is already done\n/);
});

test('lost answers do not change the imported data, and failed rows are reported', async (t) => {
  const tenant = bench.tenant('lossy');
  const proxy = await openProxy(t, tenant);
  proxy.treat = (count) => (count > 1 && count % 3 !== 0 ? 'drop' : 'deliver');
  const rows = Array.from(
    { length: 60 },
    (_, index) => `l${index},${index % 20 === 7 ? 'nowhere' : 'S001'}\n`,
  );
  const path = bench.write('lossy.csv', `username,stores\n${rows.join('')}`);
  const { exitCode, stdout } = await collect(
    startCommand(['user', 'import', path, '--batch-size', '10', '--json'], {
      env: { ...tenant.env, FIELDROSTER_URL: proxy.url },
    }),
  );
  assert.equal(exitCode, 1);
  const { rows: count, applied, created, failed } = JSON.parse(stdout) as Record<string, number>;
  assert.deepEqual([count, Number(applied) + Number(created), failed], [60, 57, 3]);
  assert(Number(applied) > 0, 'no answer was lost: the test has shown nothing');
  assert.equal(bench.readUsers('lossy').length, 57);
  assert.deepEqual(
    readResults(`${path}.result.csv`)
      .filter(([, , outcome]) => outcome === 'failed')
      .map(([line, , , code]) => [line, code]),
    [9, 29, 49].map((line) => [String(line), '1401']),
  );
});
