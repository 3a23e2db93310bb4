import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

/** A rule that records a value, or raises an alert. */
export interface Rule {
  readonly record?: string;
  readonly alert?: string;
  readonly expr: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

interface Panel {
  readonly title: string;
  readonly type: string;
  readonly targets?: readonly { readonly expr: string }[];
}

export interface Dashboard {
  readonly panels: readonly Panel[];
}

const folder = new URL('../../deploy/', import.meta.url);

export function monitoringFile(path: string): string {
  return fileURLToPath(new URL(path, folder));
}

export function readRules(): readonly Rule[] {
  const { groups } = parse(readFileSync(monitoringFile('prometheus/fieldroster.rules.yml'), 'utf8')) as {
    groups: { rules: Rule[] }[];
  };
  return groups.flatMap(({ rules }) => rules);
}

export function readAlerts(): readonly (Rule & { readonly alert: string })[] {
  return readRules().flatMap((rule) => (rule.alert === undefined ? [] : [{ ...rule, alert: rule.alert }]));
}

export function readDashboard(): Dashboard {
  return JSON.parse(readFileSync(monitoringFile('grafana/fieldroster-dashboard.json'), 'utf8'));
}

/** Returns the expressions of the dashboard as Prometheus gets them, with values in the place of variables. */
export function dashboardExpressions(): readonly string[] {
  return readDashboard().panels.flatMap(({ targets = [] }) =>
    targets.map(({ expr }) =>
      expr.replaceAll('$__rate_interval', '5m').replaceAll(/\$(job|instance)/g, '.+'),
    ),
  );
}

/** Returns the metrics of the server that an expression names, and the recorded values. */
export function metricsNamedIn(expression: string): readonly string[] {
  return [...expression.matchAll(/(?:job:)?\bfieldroster_\w+(?::\w+)?/g)].map(([name]) => name);
}
