import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { parse, stringify } from 'yaml';
import { reservePort } from '../../packages/server/test/reserve-port.ts';
import { monitoringFile } from '../deploy/monitoring-files.ts';
import { describeOnEachEngine, type Provision } from '../each-engine.ts';
import type { Provisioned } from '../provision-directory.ts';
import { ServerProcess } from '../server-process.ts';
import { SignedClient } from '../signed-client.ts';
import { notTestedWithoutPrometheus, prometheusIsInstalled } from './promtool.ts';
import { metricsUrl } from './scrape.ts';

const calls = 7;

if (prometheusIsInstalled()) describeOnEachEngine(testWithPrometheus);
else console.error(notTestedWithoutPrometheus('a scrape by Prometheus'));

function testWithPrometheus(provision: Provision): void {
  const folder = mkdtempSync(join(tmpdir(), 'fieldroster-prometheus-'));
  let directory: Provisioned;
  let nodes: ServerProcess[];
  let prometheus: ChildProcess;
  let url: string;

  before(async () => {
    directory = await provision(1);
    nodes = [
      await ServerProcess.start(directory, '--metrics', '127.0.0.1:0'),
      await ServerProcess.start(directory, '--metrics', '127.0.0.1:0', '--workers', '2'),
    ];
    const targets = await Promise.all(nodes.map(async (node) => new URL(await metricsUrl(node)).host));
    url = `http://127.0.0.1:${await reservePort()}`;
    prometheus = startPrometheus(folder, new URL(url).host, targets);
  });

  after(async () => {
    const ended = once(prometheus, 'exit');
    prometheus.kill('SIGKILL');
    await ended;
    for (const node of nodes) await node.stop();
    await directory.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Asks Prometheus until the result of the expression is the expected one. */
  async function untilQuery(expression: string, expected: string): Promise<void> {
    for (;;) {
      const found = await queryOne(expression).catch(() => undefined);
      if (found === expected) return;
      await delay(200);
    }
  }

  async function queryOne(expression: string): Promise<string | undefined> {
    const response = await fetch(`${url}/api/v1/query?query=${encodeURIComponent(expression)}`);
    const { data } = (await response.json()) as { data: { result: { value: [number, string] }[] } };
    return data.result[0]?.value[1];
  }

  test('Prometheus scrapes two nodes, and adds up their calls', { timeout: 240_000 }, async () => {
    await untilQuery('sum(up{job="fieldroster"})', '2');
    for (const node of nodes) {
      const client = new SignedClient(node.url, directory.credentials);
      for (let count = 0; count < calls; count++)
        assert.equal((await client.call('GET', '/user?username=nobody')).code, 1101);
      client.close();
    }
    await untilQuery(
      'sum(fieldroster_requests_total{operation="query-user",code="1101"})',
      String(2 * calls),
    );
    await untilQuery(
      'sum(fieldroster_request_duration_seconds_count{operation="query-user"})',
      String(2 * calls),
    );
    await untilQuery('min(fieldroster_ready)', '1');
  });

  test('Prometheus loads the rules of deploy/', async () => {
    const response = await fetch(`${url}/api/v1/rules?type=alert`);
    const { data } = (await response.json()) as {
      data: { groups: { rules: { name: string; health: string }[] }[] };
    };
    const rules = data.groups.flatMap((group) => group.rules);
    assert(rules.some(({ name }) => name === 'FieldrosterDown'));
    assert.deepEqual(
      rules.filter(({ health }) => health === 'err'),
      [],
    );
  });
}

/** Starts Prometheus with the configuration of deploy/, except its targets and how often it scrapes. */
function startPrometheus(folder: string, address: string, targets: readonly string[]): ChildProcess {
  const configuration = parse(readFileSync(monitoringFile('prometheus/prometheus.yml'), 'utf8'));
  configuration.global = { scrape_interval: '1s', evaluation_interval: '1s' };
  configuration.rule_files = [monitoringFile('prometheus/fieldroster.rules.yml')];
  configuration.scrape_configs[0].static_configs[0].targets = targets;
  delete configuration.alerting;
  const file = join(folder, 'prometheus.yml');
  writeFileSync(file, stringify(configuration));
  return spawn(
    'prometheus',
    [`--config.file=${file}`, `--storage.tsdb.path=${folder}/data`, `--web.listen-address=${address}`],
    { stdio: 'ignore' },
  );
}
