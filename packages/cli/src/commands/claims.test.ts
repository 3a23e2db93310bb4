import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { runCommand, temporaryFolder } from '../../test/run-command.ts';

const data = temporaryFolder();
const run = (...words: string[]) => runCommand(['claims', ...words, '--data', data]);
const status = async () => JSON.parse((await run('status', '--json')).stdout);

function setPurgedThrough(seconds: number): void {
  using database = new DatabaseSync(join(data, 'fieldroster.db'));
  database.prepare("update counter set value = ? where name = 'purged_through'").run(seconds);
}

const nowSeconds = () => Math.floor(Date.now() / 1000);

test('without a database there is nothing to show', async () => {
  const { exitCode, stderr } = await run('status');
  assert.equal(exitCode, 1);
  assert.match(stderr, /there is no database in/);
});

test('the status of a new database says that writes are accepted', async () => {
  await runCommand(['tenant', 'create', 'acme', '--data', data]);
  const { time, purged_timestamp, kept, refuses_writes } = await status();
  assert.equal(new Date(Date.parse(time)).toISOString().replace('.000Z', 'Z'), time, 'a time, and no prose');
  assert.deepEqual([purged_timestamp, kept, refuses_writes], [0, 0, false]);
  assert.match(
    (await run('status')).stdout,
    /^purged up to: nothing yet\non record: {4}0\nnew writes: {3}accepted$/m,
  );
});

test('a reset without --yes changes nothing and refers to its consequences', async () => {
  const purgedThrough = nowSeconds() + 3_600;
  setPurgedThrough(purgedThrough);
  const { exitCode, stdout, stderr } = await run('reset');
  assert.deepEqual([exitCode, stdout], [2, '']);
  assert.match(
    stderr,
    /could let writes take effect twice; read `fieldroster claims reset --help`, then add --yes/,
  );
  assert.match((await run('reset', '--help')).stdout, /takes effect again if somebody resends it/);
  const beforeSeconds = nowSeconds();
  const told = (await run('status')).stdout;
  const [, until, left] = /^new writes: {3}refused until (\d+) \(20.*Z\), in (\d+) s$/m.exec(told) ?? [];
  assert.equal(Number(until), purgedThrough - 59, told);
  // The command reads the clock between these two readings.
  assert.ok(Number(left) <= Number(until) - beforeSeconds, told);
  assert.ok(Number(left) >= Number(until) - nowSeconds(), told);
});

test('a reset lets writes in again within 90 seconds, and every tenant’s audit shows it', async () => {
  const purgedThrough = nowSeconds() + 3_600;
  setPurgedThrough(purgedThrough);
  const { changed, before, after } = JSON.parse((await run('reset', '--yes', '--json')).stdout);
  assert.equal(changed, true);
  assert.equal(before.purged_timestamp, purgedThrough - 60);
  const seconds = after.purged_timestamp - nowSeconds();
  assert.ok(seconds > 30 && seconds <= 90, String(seconds));
  assert.match((await run('reset', '--yes')).stdout, /^nothing to reset\n/);
  using database = new DatabaseSync(join(data, 'fieldroster.db'), { readOnly: true });
  const rows = database.prepare("select tenant_id from audit_event where operation = 'claims reset'").all();
  assert.equal(rows.length, 2);
});

test('the status follows the rule for replays, from the flag, the environment and the file, as serve does', async () => {
  setPurgedThrough(nowSeconds() + 3_600);
  const config = join(data, 'fieldroster.json');
  writeFileSync(config, '{"replay":"nonce"}');
  const rule = async (words: readonly string[], env: Record<string, string> = {}) => {
    const { stdout } = await runCommand(['claims', 'status', '--data', data, '--json', ...words], { env });
    const { replay, refuses_writes, refuses_reads } = JSON.parse(stdout);
    return [replay, refuses_writes, refuses_reads];
  };
  const off = { FIELDROSTER_REPLAY: 'off' };
  assert.deepEqual(await rule([]), ['write', true, false]);
  assert.deepEqual(await rule(['--config', config]), ['nonce', true, true]);
  assert.deepEqual(await rule(['--config', config], off), ['off', false, false]);
  assert.deepEqual(await rule(['--replay', 'write'], off), ['write', true, false]);
  assert.match(
    (await run('status', '--replay', 'off')).stdout,
    /^new writes: {3}accepted because of --replay off; refused until \d+ \(20.*Z\), in 35\d\d s under another rule$/m,
  );
  assert.match(
    (await run('status', '--replay', 'nonce')).stdout,
    /^signed reads: as new writes, because of /m,
  );
  assert.equal((await run('status', '--replay', 'never')).exitCode, 2);
});
