import type { EngineName, Sample, Scenario } from '../measurement.ts';
import type { ScenarioSamples } from '../run-scenario.ts';

/** The middle one of the rounds, and the ends of their range. */
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
  /** What the measured value itself may be at most, or must be at least. */
  readonly limit: number | null;
  /** Of each round's two values, measured by reference. */
  readonly ratio: Spread;
  /** The same of the values per second of processor time: what others do on the machine counts less. */
  readonly ratioPerCpu: Spread | null;
  readonly measured: Spread;
  readonly reference: Spread;
  /** To the revision that is compared with; null without one. */
  readonly ratioToRevision: Spread | null;
  readonly ratioToRevisionPerCpu: Spread | null;
  readonly failures: number;
  /** Of the figures that stand in the matrix of operations; null of the others. */
  readonly engine: EngineName | null;
  /** Users of the directory, likewise. */
  readonly users: number | null;
  readonly rounds: ScenarioSamples;
}

/** What a figure is called and how it is read. */
export type About = Pick<Scenario, 'name' | 'title' | 'comparedTo' | 'unit' | 'better' | 'mark' | 'limit'>;

/** Sums up a scenario's rounds. */
export function toFigure(scenario: About, rounds: ScenarioSamples): Figure {
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
    engine: null,
    users: null,
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

/** The median of a value that only some kinds of rounds have. */
export function medianOf(samples: readonly Sample[], pick: (sample: Sample) => number | undefined) {
  const values = samples.map(pick).filter((value) => value !== undefined);
  return values.length === 0 ? undefined : spread(values).median;
}

/** From this share of its core on, the load generator rather than the server is what was measured. */
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

/** Whether what is promised was reached, the ratio or the value; undefined without a promise. */
export function markIsMet({ mark, limit, ratio, measured, better }: Figure): boolean | undefined {
  if (mark === null && limit === null) return undefined;
  const reaches = (value: number, promised: number | null) =>
    promised === null || (better === 'higher' ? value >= promised : value <= promised);
  return reaches(ratio.median, mark) && reaches(measured.median, limit);
}

function ratios(measured: readonly Sample[], other: readonly Sample[]): number[] {
  return measured.map(({ value }, round) => value / (other[round]?.value ?? Number.NaN));
}

/** Known only where both sides tell their processor time; a latency or a size has none to be divided by. */
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
