import type { Distribution } from './distribution.ts';

/** Values of the labels of one time series. Every value comes from a short list that no caller can extend. */
export type Labels = Readonly<Record<string, string>>;

/** One number of a metric, such as the calls of one operation. */
export interface Sample {
  readonly labels?: Labels;
  readonly value: number;
}

interface Described {
  /** In the style of Prometheus: with the prefix `fieldroster_` and the unit at the end. */
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly string[];
}

/** A number that only grows while the process lives. */
export interface CounterSource extends Described {
  readonly type: 'counter';
  read(): number | Iterable<Sample>;
}

/** A number that is read when somebody asks for it. `undefined` or an error leaves the metric out. */
export interface GaugeSource extends Described {
  readonly type: 'gauge';
  /** How to combine the values of several workers. */
  readonly ofWorkers: 'sum' | 'max' | 'min';
  /** The labels of its only time series. */
  readonly labels?: Labels;
  read(): number | undefined | Promise<number | undefined>;
}

/** Values counted by size. */
export interface HistogramSource extends Described {
  readonly type: 'histogram';
  read(): Iterable<{ readonly labels?: Labels; readonly distribution: Distribution }>;
}

/**
 * A metric of the server. Each part of the server describes its own as plain data, and reads them only when
 * Prometheus scrapes.
 */
export type MetricSource = CounterSource | GaugeSource | HistogramSource;
