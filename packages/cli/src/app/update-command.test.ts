import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { openDirectory } from '@fieldroster/server/admin';
import { runCommand, temporaryFolder } from '../../test/run-command.ts';

const folder = temporaryFolder();
let made = 0;

/** Creates a database with the application `a`, and returns functions that run commands on it. */
async function withApplication() {
  const data = join(folder, String(made++));
  await (await openDirectory({ data, environment: {} })).database.close();
  const run = (...words: readonly string[]) => runCommand([...words, '--data', data]);
  const json = async (...words: readonly string[]) => {
    const { exitCode, stdout, stderr } = await run(...words, '--json');
    assert.deepEqual([exitCode, stderr], [0, '']);
    return JSON.parse(stdout);
  };
  await json('app', 'create', '--name', 'A', '--app-id', 'a');
  return { data, run, json };
}

describe('app update', { concurrency: 4 }, () => {
  test('changes several things at once and prints the resulting application', async () => {
    const { json } = await withApplication();
    const startedAtMs = Date.now();
    const flags = ['--scope', 'read', '--rate-limit', '20', '--suspend', '--expires-in', '2h'];
    const addresses = ['--allow-ip', '10.0.0.0/8, 192.0.2.7', '--allow-ip', '2001:DB8::/32'];
    const updated = await json('app', 'update', 'a', ...flags, ...addresses);
    const { scope, status, rate_limit, allowed_addresses, expires_at } = updated;
    assert.deepEqual([scope, status, rate_limit], ['read', 'suspended', 20]);
    assert.deepEqual(allowed_addresses, ['10.0.0.0/8', '192.0.2.7', '2001:db8::/32']);
    const updatedAtMs = Date.parse(expires_at) - 7_200_000;
    assert.ok(updatedAtMs >= startedAtMs && updatedAtMs <= Date.now(), expires_at);
    assert.deepEqual(await json('app', 'show', 'a'), updated);
    assert.deepEqual(await json('app', 'list'), [updated]);
  });

  test('changes one thing and leaves the others, and clears with none and default', async () => {
    const { json } = await withApplication();
    const before = await json('app', 'show', 'a');
    await json('app', 'update', 'a', '--allow-ip', '::1', '--rate-limit', '0', '--expires-in', '7d');
    const suspended = await json('app', 'update', 'a', '--suspend');
    assert.deepEqual(
      [suspended.status, suspended.allowed_addresses, suspended.rate_limit],
      ['suspended', ['::1'], 0],
    );
    const back = ['--resume', '--allow-ip', 'none', '--rate-limit', 'default', '--expires-in', 'none'];
    assert.deepEqual(await json('app', 'update', 'a', ...back), before);
  });

  test('an application past its time is shown as expired', async () => {
    const { json, run } = await withApplication();
    assert.equal((await json('app', 'update', 'a', '--expires-in', '0')).status, 'expired');
    assert.match((await run('app', 'list')).stdout, / expired .* expired 2\d{3}-/);
    assert.match((await run('app', 'show', 'a')).stdout, /^expired +2\d{3}-.*Z$/m);
  });

  test('a secret past its time is shown as expired, and one before it as valid', async () => {
    const { run } = await withApplication();
    await run('app', 'rotate', 'a', '--old-expires-in', '0');
    assert.match((await run('app', 'show', 'a')).stdout, /^secrets +of 2\S+Z, expired 2\S+Z; of 2\S+Z$/m);
    await run('app', 'rotate', 'a', '--old-expires-in', '1h');
    assert.match((await run('app', 'show', 'a')).stdout, /^secrets +of 2\S+Z, valid until 2\S+Z; of 2\S+Z$/m);
  });

  test('prints in words what the application may do', async () => {
    const { run } = await withApplication();
    await run('app', 'update', 'a', '--allow-ip', '10.0.0.0/8');
    const { stdout } = await run('app', 'show', 'a');
    for (const line of [
      /^status +active$/m,
      /^rate limit +the server's --rate-limit$/m,
      /^may call from +10\.0\.0\.0\/8$/m,
      /^expires +never$/m,
      /^last used +never$/m,
      /^secrets +of 2\d{3}-/m,
    ]) {
      assert.match(stdout, line);
    }
  });

  const refused: readonly (readonly [flags: string[], exitCode: number, message: RegExp])[] = [
    [[], 2, /nothing to change; give --scope, --rate-limit, --allow-ip, --suspend, --resume or --expires-in/],
    [['--suspend', '--resume'], 2, /'--suspend' cannot be used with option '--resume'/],
    [['--scope', 'all'], 2, /Allowed choices are read, write, manage/],
    [['--rate-limit', '-1'], 2, /It must be default or a whole number from 0 to 1000000\.$/m],
    [['--rate-limit', '1000001'], 2, /It must be default or a whole number from 0 to 1000000/],
    [['--allow-ip', '10.0.0.0/33'], 2, /"10\.0\.0\.0\/33" must end in a number of bits from 1 to 32/],
    [
      ['--allow-ip', '10.0.0.1,shop.example'],
      2,
      /"shop\.example" is not an address or a network, such as 192/,
    ],
    [['--allow-ip', 'none,10.0.0.1'], 2, /--allow-ip none clears the list, so give no address with it/],
    [['--expires-in', 'never'], 2, /It must be none, 0 or a number with a unit up to 3650d: /],
    [['--allow-ip', ''], 2, /"" is not an address or a network, .*; the word none allows every address\.$/m],
  ];

  test('refuses the rest and changes nothing', async () => {
    const { run, json } = await withApplication();
    const before = await json('app', 'show', 'a');
    for (const [flags, exitCode, message] of refused) {
      const result = await run('app', 'update', 'a', ...flags);
      assert.deepEqual([result.exitCode, result.stdout], [exitCode, ''], flags.join(' '));
      assert.match(result.stderr, message);
      assert.equal(result.stderr.trim().split('\n').length, 1);
    }
    const many = Array.from({ length: 101 }, (_, index) => `10.0.0.${index}`).join(',');
    assert.match(
      (await run('app', 'update', 'a', '--allow-ip', many)).stderr,
      /101 entries; at most 100 are accepted/,
    );
    assert.deepEqual(await json('app', 'show', 'a'), before);
  });

  test('an unknown or revoked application is not changed, and an unknown one not shown', async () => {
    const { run } = await withApplication();
    const missing = 'fieldroster: there is no application b; fieldroster app list shows the APPIDs\n';
    assert.equal((await run('app', 'update', 'b', '--suspend')).stderr, missing);
    assert.equal((await run('app', 'show', 'b')).stderr, missing);
    await run('app', 'update', 'a', '--suspend');
    assert.equal((await run('app', 'revoke', 'a')).exitCode, 0);
    const { exitCode, stderr } = await run('app', 'update', 'a', '--resume');
    assert.deepEqual(
      [exitCode, stderr],
      [1, 'fieldroster: the application a is revoked for good; issue another: fieldroster app create\n'],
    );
  });
});
