import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parse, stringify } from 'yaml';
import { reservePort } from '../../packages/server/test/reserve-port.ts';
import { monitoringFile } from '../deploy/monitoring-files.ts';

const shippedRules = monitoringFile('prometheus/fieldroster.rules.yml');

/** A real Prometheus with the configuration of deploy/, except its targets and how often it scrapes. */
export class PrometheusProcess {
  readonly url: string;
  readonly #child: ChildProcess;
  readonly #folder: string;

  private constructor(child: ChildProcess, url: string, folder: string) {
    this.#child = child;
    this.url = url;
    this.#folder = folder;
  }

  /**
   * @param targets hosts and ports of the metrics
   * @param editRules changes the text of the rules
   */
  static async start(
    targets: readonly string[],
    editRules: (rules: string) => string = (rules) => rules,
  ): Promise<PrometheusProcess> {
    const folder = mkdtempSync(join(tmpdir(), 'fieldroster-prometheus-'));
    const rules = join(folder, 'rules.yml');
    writeFileSync(rules, editRules(readFileSync(shippedRules, 'utf8')));
    const configuration = parse(readFileSync(monitoringFile('prometheus/prometheus.yml'), 'utf8'));
    configuration.global = { scrape_interval: '1s', evaluation_interval: '1s' };
    configuration.rule_files = [rules];
    configuration.scrape_configs[0].static_configs[0].targets = targets;
    delete configuration.alerting;
    const file = join(folder, 'prometheus.yml');
    writeFileSync(file, stringify(configuration));
    const address = `127.0.0.1:${await reservePort()}`;
    const flags = [
      `--config.file=${file}`,
      `--storage.tsdb.path=${folder}/data`,
      `--web.listen-address=${address}`,
    ];
    return new PrometheusProcess(
      spawn('prometheus', flags, { stdio: 'ignore' }),
      `http://${address}`,
      folder,
    );
  }

  /** Asks until the result of the expression is the expected one. */
  async untilQuery(expression: string, expected: string): Promise<void> {
    for (;;) {
      const found = await this.query(expression).catch(() => undefined);
      if (found === expected) return;
      await delay(200);
    }
  }

  /** Returns the value of the first series of the result. */
  async query(expression: string): Promise<string | undefined> {
    const response = await fetch(`${this.url}/api/v1/query?query=${encodeURIComponent(expression)}`);
    const { data } = (await response.json()) as { data: { result: { value: [number, string] }[] } };
    return data.result[0]?.value[1];
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
