import { Histogram, type MetricObjectWithValues, type MetricValueWithName } from 'prom-client';
import type { Distribution } from './distribution.ts';
import type { HistogramSource, Labels } from './metric-source.ts';

type Value = MetricValueWithName<string>;

/** A histogram whose values are counted elsewhere and read at the scrape. */
export class CollectedHistogram extends Histogram<string> {
  readonly #source: HistogramSource;

  constructor(source: HistogramSource) {
    const { name, help, labelNames = [] } = source;
    super({ name, help, labelNames: [...labelNames], registers: [] });
    this.#source = source;
  }

  override async get(): Promise<MetricObjectWithValues<Value>> {
    const values: Value[] = [];
    for (const { labels = {}, distribution } of this.#source.read())
      values.push(...valuesOf(this.#source.name, labels, distribution));
    return { ...(await super.get()), values };
  }
}

function valuesOf(name: string, labels: Labels, { limits, counts, sum, count }: Distribution): Value[] {
  let below = 0;
  const buckets = limits.map((limit, index) => {
    below += counts[index] ?? 0;
    return { metricName: `${name}_bucket`, labels: { le: limit, ...labels }, value: below };
  });
  return [
    ...buckets,
    { metricName: `${name}_bucket`, labels: { le: '+Inf', ...labels }, value: count },
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: count },
  ];
}
