import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { describeOnEachEngine, type Provision } from '../each-engine.ts';
import type { Provisioned } from '../provision-directory.ts';
import { ServerProcess } from '../server-process.ts';
import { SignedClient } from '../signed-client.ts';
import { PrometheusProcess } from './prometheus-process.ts';
import { notTestedWithoutPrometheus, prometheusIsInstalled } from './promtool.ts';
import { metricsUrl } from './scrape.ts';

const calls = 7;

if (prometheusIsInstalled()) describeOnEachEngine(testWithPrometheus);
else console.error(notTestedWithoutPrometheus('a scrape by Prometheus'));

function testWithPrometheus(provision: Provision): void {
  let directory: Provisioned;
  let nodes: ServerProcess[];
  let prometheus: PrometheusProcess;

  before(async () => {
    directory = await provision(1);
    nodes = [
      await ServerProcess.start(directory, '--metrics', '127.0.0.1:0'),
      await ServerProcess.start(directory, '--metrics', '127.0.0.1:0', '--workers', '2'),
    ];
    const targets = await Promise.all(nodes.map(async (node) => new URL(await metricsUrl(node)).host));
    prometheus = await PrometheusProcess.start(targets);
  });

  after(async () => {
    await prometheus.stop();
    for (const node of nodes) await node.stop();
    await directory.remove();
  });

  test('Prometheus scrapes two nodes, and adds up their calls', { timeout: 240_000 }, async () => {
    await prometheus.untilQuery('sum(up{job="fieldroster"})', '2');
    for (const node of nodes) {
      const client = new SignedClient(node.url, directory.credentials);
      for (let count = 0; count < calls; count++)
        assert.equal((await client.call('GET', '/user?username=nobody')).code, 1101);
      client.close();
    }
    await prometheus.untilQuery(
      'sum(fieldroster_requests_total{operation="query-user",code="1101"})',
      String(2 * calls),
    );
    await prometheus.untilQuery(
      'sum(fieldroster_request_duration_seconds_count{operation="query-user"})',
      String(2 * calls),
    );
    await prometheus.untilQuery('min(fieldroster_ready)', '1');
  });

  test('Prometheus loads the rules of deploy/', async () => {
    const response = await fetch(`${prometheus.url}/api/v1/rules?type=alert`);
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
