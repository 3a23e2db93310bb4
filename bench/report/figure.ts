import type { Sample, Scenario } from '../measurement.ts';
import type { ScenarioSamples } from '../run-bench.ts';

/** Median and range of the rounds. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** One line of the table, one entry of the result file. */
export interface Figure {
  readonly name: string;
  readonly title: string;
  readonly comparedTo: string;
  readonly unit: string;
  readonly better: 'higher' | 'lower';
  readonly mark: number | null;
  /** The promised value; a minimum or a maximum as `better` says. */
  readonly limit: number | null;
  /** The measured value divided by the reference's, formed within each round. */
  readonly ratio: Spread;
  /** The same for the values per second of processor time, which other programs affect less. */
  readonly ratioPerCpu: Spread | null;
  readonly measured: Spread;
  readonly reference: Spread;
  /** The ratio to the revision given by `--compare`; null without one. */
  readonly ratioToRevision: Spread | null;
  readonly ratioToRevisionPerCpu: Spread | null;
  readonly failures: number;
  readonly rounds: ScenarioSamples;
}

/** Sums up a scenario's rounds. */
export function toFigure(
  scenario: Omit<Scenario, 'measured' | 'reference'>,
  rounds: ScenarioSamples,
): Figure {
  const { name, title, comparedTo, unit, better, mark = null, limit = null } = scenario;
  const { measured, reference, before } = rounds;
  return {
    name,
    title,
    comparedTo,
    unit,
    better,
    mark,
    limit,
    ratio: spread(ratios(measured, reference)),
    ratioPerCpu: better === 'higher' ? ratioPerCpu(measured, reference) : null,
    measured: spread(valuesOf(measured)),
    reference: spread(valuesOf(reference)),
    ratioToRevision: before === undefined ? null : spread(ratios(measured, before)),
    ratioToRevisionPerCpu: before === undefined || better === 'lower' ? null : ratioPerCpu(measured, before),
    failures: [...measured, ...reference].reduce((sum, { failures = 0 }) => sum + failures, 0),
    rounds,
  };
}

export function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  const lower = sorted.length % 2 === 1 ? upper : (sorted[middle - 1] ?? Number.NaN);
  return { median: (lower + upper) / 2, min: sorted[0] ?? Number.NaN, max: sorted.at(-1) ?? Number.NaN };
}

/** The median of a value that some samples lack. */
export function medianOf(samples: readonly Sample[], pick: (sample: Sample) => number | undefined) {
  const values = samples.map(pick).filter((value) => value !== undefined);
  return values.length === 0 ? undefined : spread(values).median;
}

/** From this share of its core on, the load generator is the limit. */
const busyGeneratorShare = 0.95;

/** Whether the load generator was the limit in most rounds of either side. */
export function loadWasTheLimit({ rounds }: Figure): boolean {
  return [rounds.measured, rounds.reference].some(
    (samples) => (medianOf(samples, ({ loadCpuShare }) => loadCpuShare) ?? 0) >= busyGeneratorShare,
  );
}

/** Whether PostgreSQL and the load generator together used all of a core in most rounds of either side. */
export function databaseWasTheLimit({ rounds }: Figure): boolean {
  return [rounds.measured, rounds.reference].some((samples) => {
    const share = medianOf(samples, ({ databaseCpuShare, loadCpuShare = 0 }) =>
      databaseCpuShare === undefined ? undefined : databaseCpuShare + loadCpuShare,
    );
    return (share ?? 0) >= busyGeneratorShare;
  });
}

/** Whether the ratio and the value reach what is promised; undefined without a promise. */
export function markIsMet({ mark, limit, ratio, measured, better }: Figure): boolean | undefined {
  if (mark === null && limit === null) return undefined;
  const reaches = (value: number, promised: number | null) =>
    promised === null || (better === 'higher' ? value >= promised : value <= promised);
  return reaches(ratio.median, mark) && reaches(measured.median, limit);
}

function ratios(measured: readonly Sample[], other: readonly Sample[]): number[] {
  return measured.map(({ value }, round) => value / (other[round]?.value ?? Number.NaN));
}

/** Null unless both sides report their processor time. */
function ratioPerCpu(measured: readonly Sample[], reference: readonly Sample[]): Spread | null {
  const ofMeasured = measured.map(perCpu);
  const ofReference = reference.map(perCpu);
  const values = ofMeasured.map((value, round) => value / (ofReference[round] ?? Number.NaN));
  return values.every(Number.isFinite) ? spread(values) : null;
}

function perCpu({ value, cpuShare = Number.NaN }: Sample): number {
  return value / cpuShare;
}

function valuesOf(samples: readonly Sample[]): number[] {
  return samples.map(({ value }) => value);
}

/** The promise as the table shows it, and whether it was kept; empty without one. */
export function markText(figure: Figure): string {
  const { mark, limit, unit, better } = figure;
  const sign = better === 'higher' ? '≥' : '≤';
  const promises = [mark === null ? [] : [`${mark}`], limit === null ? [] : [`${limit} ${unit}`]].flat();
  if (promises.length === 0) return '';
  const isMet = figure.failures === 0 && markIsMet(figure) === true;
  return `${promises.map((promise) => `${sign} ${promise}`).join(', ')} ${isMet ? 'met' : 'MISSED'}`;
}

/** Three significant digits. */
export function numberText(value: number): string {
  return value >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}
