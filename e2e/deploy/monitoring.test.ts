import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { stringify } from 'yaml';
import { openTestPostgres } from '../../packages/server/test/test-postgres.ts';
import { headingAnchor } from '../../scripts/heading-anchor.ts';
import { notTestedWithoutPrometheus, prometheusIsInstalled, runPromtool } from '../metrics/promtool.ts';
import { scrape } from '../metrics/scrape.ts';
import { provisionDirectory } from '../provision-directory.ts';
import { ServerProcess } from '../server-process.ts';
import {
  dashboardExpressions,
  metricsNamedIn,
  monitoringFile,
  readAlerts,
  readDashboard,
  readRules,
} from './monitoring-files.ts';

const rulesFile = monitoringFile('prometheus/fieldroster.rules.yml');

describe('the names of metrics in deploy/', () => {
  const exported = new Set<string>();

  before(async () => {
    const postgres = await openTestPostgres();
    try {
      for (const database of [undefined, await postgres.createDatabase()]) {
        const directory = await provisionDirectory(1, database);
        const server = await ServerProcess.start(directory, '--metrics', '127.0.0.1:0', '--workers', '2');
        // A worker that is silent for two seconds is left out.
        await server.until(async () => (await scrape(server)).sum('fieldroster_ready') === 1);
        for (const name of (await scrape(server)).names) exported.add(name);
        await server.stop();
        await directory.remove();
      }
      for (const { record } of readRules()) if (record !== undefined) exported.add(record);
    } finally {
      await postgres.stop();
    }
  });

  function missingIn(expressions: readonly string[]): readonly string[] {
    const named = expressions.flatMap(metricsNamedIn);
    assert(named.length > 0);
    return named.filter(
      (name) => !exported.has(name) && !exported.has(name.replace(/_(bucket|sum|count)$/, '')),
    );
  }

  test('a server exports every metric of the dashboard', () => {
    assert.deepEqual(missingIn(dashboardExpressions()), []);
  });

  test('a server exports every metric of the rules', () => {
    assert.deepEqual(missingIn(readRules().map(({ expr }) => expr)), []);
  });

  test('the dashboard shows every metric that a server exports', () => {
    const shown = new Set(dashboardExpressions().flatMap(metricsNamedIn));
    const hidden = [...exported].filter(
      (name) =>
        !name.includes(':') && !['', '_bucket', '_sum', '_count'].some((suffix) => shown.has(name + suffix)),
    );
    assert.deepEqual(hidden, []);
  });
});

test('every panel of the dashboard has a title, and every one but a row has an expression', () => {
  for (const { title, type, targets = [] } of readDashboard().panels) {
    assert.notEqual(title, '');
    assert.equal(targets.length === 0, type === 'row', title);
  }
});

describe('the runbook', () => {
  const text = readFileSync(new URL('../../docs/runbook.md', import.meta.url), 'utf8');
  const sections = new Map(
    text
      .split(/^## /m)
      .slice(1)
      .map((section) => [section.split('\n')[0] ?? '', section]),
  );

  test('has a section for each alert: what it means, how to look and what to do', () => {
    for (const { alert } of readAlerts()) {
      const section = sections.get(alert);
      assert(section !== undefined, `${alert} has no section`);
      for (const part of ['**What it means.**', '**How to look.**', '**What to do.**'])
        assert(section.includes(part), `${alert}: ${part}`);
    }
  });

  test('is linked from each alert to its section', () => {
    for (const { alert, annotations } of readAlerts())
      assert.equal(annotations?.runbook_url, `docs/runbook.md#${headingAnchor(alert)}`);
  });

  test('has no section for a removed alert', () => {
    const alerts = new Set(readAlerts().map(({ alert }) => alert));
    const named = [...sections.keys()].filter((title) => title.startsWith('Fieldroster'));
    assert.deepEqual(
      named.filter((title) => !alerts.has(title)),
      [],
    );
  });
});

if (prometheusIsInstalled()) describe('promtool', testWithPromtool);
else console.error(notTestedWithoutPrometheus('deploy/prometheus by promtool'));

function testWithPromtool(): void {
  const folder = mkdtempSync(join(tmpdir(), 'fieldroster-rules-'));
  after(() => rmSync(folder, { recursive: true }));

  function succeed(...commandArguments: string[]): void {
    const { exitCode, output } = runPromtool(commandArguments);
    assert.equal(exitCode, 0, output);
  }

  test('accepts the rules and the configuration', () => {
    succeed('check', 'rules', '--lint-fatal', rulesFile);
    succeed('check', 'config', monitoringFile('prometheus/prometheus.yml'));
  });

  test('runs the unit tests of the alerts', () => {
    succeed('test', 'rules', monitoringFile('prometheus/fieldroster.rules.test.yml'));
  });

  test('every alert has a unit test that expects it', () => {
    const text = readFileSync(monitoringFile('prometheus/fieldroster.rules.test.yml'), 'utf8');
    for (const { alert } of readAlerts())
      assert.match(text, new RegExp(`alertname: ${alert}\\n +exp_alerts:\\n`), alert);
  });

  test('parses every expression of the dashboard', () => {
    const rules = dashboardExpressions().map((expr, index) => ({
      record: `panel:expression:${index}`,
      expr,
    }));
    const file = join(folder, 'dashboard.rules.yml');
    writeFileSync(file, stringify({ groups: [{ name: 'dashboard', rules }] }));
    succeed('check', 'rules', file);
  });
}
