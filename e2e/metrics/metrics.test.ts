import assert from 'node:assert/strict';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { packageVersion } from '../../packages/cli/src/package-version.ts';
import { startPostgres } from '../../packages/server/test/test-postgres.ts';
import { describeOnEachEngine } from '../each-engine.ts';
import { type Provisioned, provisionDirectory } from '../provision-directory.ts';
import { ServerProcess } from '../server-process.ts';
import { SignedClient, signCall } from '../signed-client.ts';
import { notTestedWithoutPrometheus, prometheusIsInstalled, runPromtool } from './promtool.ts';
import { metricsUrl, type Scrape, scrape } from './scrape.ts';

describeOnEachEngine((provision, engine) => {
  let directory: Provisioned;
  let server: ServerProcess;
  let client: SignedClient;

  before(async () => {
    directory = await provision(5);
    server = await ServerProcess.start(directory, '--metrics', '127.0.0.1:0');
    client = new SignedClient(server.url, directory.credentials);
  });

  after(async () => {
    client.close();
    await server.stop();
    await directory.remove();
  });

  /** Returns how much the metric grew during the work. */
  async function growth(work: () => Promise<unknown>, ...series: Parameters<Scrape['sum']>): Promise<number> {
    const first = (await scrape(server)).sum(...series) ?? 0;
    await work();
    return ((await scrape(server)).sum(...series) ?? 0) - first;
  }

  const createUser = (username: string) => client.call('POST', '/user/stores', { username });

  test('calls are counted by operation and code, and their durations by operation', async () => {
    const name = 'fieldroster_requests_total';
    const operation = 'query-user';
    const unknownUser = async () => {
      for (let count = 0; count < 3; count++)
        assert.equal((await client.call('GET', '/user?username=nobody')).code, 1101);
    };
    assert.equal(await growth(unknownUser, name, { operation, code: '1101' }), 3);
    assert.equal(await growth(unknownUser, 'fieldroster_request_duration_seconds_count', { operation }), 3);
    const last = await scrape(server);
    const buckets = last.samples.filter(
      (sample) =>
        sample.name.endsWith('request_duration_seconds_bucket') && sample.labels.operation === operation,
    );
    assert.equal(buckets.at(-1)?.labels.le, '+Inf');
    assert.equal(
      buckets.at(-1)?.value,
      last.sum('fieldroster_request_duration_seconds_count', { operation }),
    );
    assert.equal(
      last.sum(name, { operation, code: '1500' }),
      0,
      'failures are reported before the first one',
    );
  });

  test('requests that reach no operation share one label value, however many paths there are', async () => {
    const wander = async () => {
      for (const path of ['/a', '/b', '/user/none', '/%ff']) await client.get(path);
    };
    assert.equal(await growth(wander, 'fieldroster_requests_total', { operation: 'other', code: '1005' }), 4);
    const operations = new Set((await scrape(server)).samples.map(({ labels }) => labels.operation));
    assert(![...operations].some((operation) => operation?.startsWith('/')));
  });

  test('refused replays and failed signatures are counted, the latter by cause', async () => {
    const call = client.sign('POST', '/user/stores', { username: 'once' });
    assert.equal((await client.send(call)).code, 0);
    assert.equal(await growth(() => client.send(call), 'fieldroster_replays_refused_total'), 1);
    const cause = (name: string) => ['fieldroster_signature_failures_total', { cause: name }] as const;
    const { appId, appSecret } = directory.credentials;
    const sendAs = (id: string, secret: string) =>
      client.send(signCall({ appId: id, appSecret: secret }, 'GET', '/users'));
    assert.equal(await growth(() => sendAs('nobody', 'secret'), ...cause('unknown-application')), 1);
    assert.equal(await growth(() => sendAs(appId, 'wrong'), ...cause('unknown')), 1);
    assert.equal(await growth(() => sendAs(appId, appId), ...cause('secret-is-appid')), 1);
    assert.equal(await growth(() => client.get('/users'), ...cause('malformed-header')), 1);
    assert(!(await scrape(server)).text.includes(appSecret));
  });

  test('cached answers, commits and queues are reported', async () => {
    await createUser('kept');
    const hits = 'fieldroster_answer_cache_hits_total';
    const readAgain = async () => {
      for (let count = 0; count < 7; count++) await client.call('GET', '/user?username=kept');
    };
    const kept = await growth(readAgain, hits);
    // On PostgreSQL, commits of other databases drop the answers too.
    assert(engine === 'PostgreSQL' ? kept >= 0 : kept >= 3, `${kept} hits`);
    assert((await growth(() => createUser('new'), 'fieldroster_answer_cache_misses_total')) >= 0);
    // A purge or the bookkeeping may commit meanwhile, each every ten seconds.
    const commits: number[] = [];
    for (const username of ['committed.1', 'committed.2', 'committed.3'])
      commits.push(await growth(() => createUser(username), 'fieldroster_commit_duration_seconds_count'));
    assert.equal(Math.min(...commits), 1);
    await server.until(async () => (await scrape(server)).sum('fieldroster_ready') === 1);
    const { names, samples } = await scrape(server);
    const values = new Map(samples.map(({ name, value }) => [name, value]));
    for (const idle of [
      'fieldroster_queued_writes',
      'fieldroster_queued_password_hashes',
      'fieldroster_queued_lists',
      'fieldroster_queued_large_bodies',
      ...['long_lists', 'large_dry_runs'].flatMap((jobs) => [
        `fieldroster_running_${jobs}`,
        `fieldroster_queued_${jobs}`,
        `fieldroster_${jobs}_refused_total`,
      ]),
    ])
      assert.equal(values.get(idle), 0, idle);
    for (const positive of [
      'database_size_bytes',
      'resident_memory_bytes',
      'heap_used_bytes',
      'heap_size_bytes',
    ])
      assert((values.get(`fieldroster_${positive}`) ?? 0) > 0, positive);
    assert.equal(values.get('fieldroster_ready'), 1);
    const about = samples.filter(({ name }) => name === 'fieldroster_build_info');
    assert.deepEqual(
      about.map(({ labels, value }) => [labels, value]),
      [[{ release: packageVersion() }, 1]],
    );
    assert(server.output.includes(`"release":"${packageVersion()}","msg":"listening"`));
    assert.equal(names.includes('fieldroster_pool_connections_in_use'), engine === 'PostgreSQL');
    assert(values.has('fieldroster_event_loop_delay_p99_seconds'));
    // Nothing is known of backups, and nothing expires: no value is better than a wrong one.
    for (const unknown of ['last_backup', 'next_secret_expiry', 'next_application_expiry'])
      assert(!values.has(`fieldroster_${unknown}_timestamp_seconds`), unknown);
  });

  test('the public port has no metrics, and their port has nothing else', async () => {
    const answer = await client.get('/metrics');
    assert.deepEqual([answer.status, answer.envelope.code], [404, 1005]);
    const url = await metricsUrl(server);
    const [address = ''] = url.split('/metrics');
    assert.deepEqual(
      [(await fetch(`${address}/users`)).status, (await fetch(url, { method: 'POST' })).status],
      [404, 405],
    );
  });

  if (prometheusIsInstalled())
    test('promtool finds nothing to criticise', async () => {
      const { exitCode, output } = runPromtool(['check', 'metrics'], (await scrape(server)).text);
      assert.deepEqual([exitCode, output], [0, '']);
    });
  else console.error(notTestedWithoutPrometheus('the names of metrics by promtool'));
});

test('a scrape succeeds while the database is gone, without the size that only it knows', async () => {
  const postgres = await startPostgres();
  const directory = await provisionDirectory(1, await postgres.createDatabase());
  const server = await ServerProcess.start(directory, '--metrics', '127.0.0.1:0');
  try {
    assert.notEqual((await scrape(server)).sum('fieldroster_database_size_bytes'), undefined);
    await postgres.kill();
    const without = await scrape(server);
    assert.equal(without.sum('fieldroster_database_size_bytes'), undefined);
    assert.notEqual(without.sum('fieldroster_requests_total'), undefined);
  } finally {
    await server.kill();
    await postgres.stop();
    await directory.remove();
  }
});

for (const [title, ...flags] of [['a node'], ['a node with workers', '--workers', '2']] as const)
  test(`${title} that drains is reported as not ready, as by /readyz`, async () => {
    const directory = await provisionDirectory(1);
    const server = await ServerProcess.start(directory, '--metrics', '127.0.0.1:0', '--drain', '5', ...flags);
    const ready = async () => (await scrape(server)).sum('fieldroster_ready');
    try {
      await server.until(async () => (await ready()) === 1);
      const ended = server.stop();
      // Fails if the server ends before it said so.
      await server.until(async () => (await ready()) === 0);
      assert.equal(await ended, 0);
    } finally {
      await server.kill();
      await directory.remove();
    }
  });

/** Returns the TCP ports on which a process listens; on Linux only. */
function listeningPorts(pid: number): number[] {
  const folder = `/proc/${pid}/fd`;
  const sockets = new Set(readdirSync(folder).flatMap((name) => linkOf(`${folder}/${name}`)));
  const listening = '0A';
  return ['tcp', 'tcp6']
    .flatMap((kind) => readFileSync(`/proc/${pid}/net/${kind}`, 'utf8').trim().split('\n').slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state, ...rest]) => state === listening && sockets.has(`socket:[${rest[5]}]`))
    .map(([, local = '']) => Number.parseInt(local.split(':')[1] ?? '', 16));
}

/** Returns nothing for a file that the process has closed meanwhile. */
function linkOf(path: string): string[] {
  try {
    return [readlinkSync(path)];
  } catch {
    return [];
  }
}

test('without --metrics, only the public port is open', async () => {
  const directory = await provisionDirectory(1);
  const server = await ServerProcess.start(directory);
  try {
    assert(!server.output.includes('/metrics'), server.output);
    if (process.platform === 'linux') assert.deepEqual(listeningPorts(server.pid), [server.port]);
  } finally {
    await server.stop();
    await directory.remove();
  }
});
