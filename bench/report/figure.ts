import type { Sample, Scenario, ScenarioSamples, Unit } from '../measurement.ts';

/** Median and range of the rounds. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** One line of the table, one entry of the result file. */
export interface Figure extends Pick<Scenario, 'name' | 'title' | 'comparedTo'> {
  readonly unit: Unit;
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
  const { name, title, comparedTo, unit = 'req/s', mark = null, limit = null } = scenario;
  const better = unit.endsWith('/s') ? 'higher' : 'lower';
  const { measured, reference, before } = rounds;
  const perCpu = better === 'higher' ? ratioPerCpu : () => null;
  return {
    name,
    title,
    comparedTo,
    unit,
    better,
    mark,
    limit,
    ratio: spread(ratios(measured, reference)),
    ratioPerCpu: perCpu(measured, reference),
    measured: spread(measured.map(({ value }) => value)),
    reference: spread(reference.map(({ value }) => value)),
    ratioToRevision: before === undefined ? null : spread(ratios(measured, before)),
    ratioToRevisionPerCpu: before === undefined ? null : perCpu(measured, before),
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

/** From this share of its core on, the load generator or the database is the limit. */
const busyShare = 0.95;

/** Whether the load generator was the limit in most rounds of either side. */
export function loadWasTheLimit(figure: Figure): boolean {
  return wasBusy(figure, ({ loadCpuShare }) => loadCpuShare);
}

/** Whether PostgreSQL and the load generator together used all of a core in most rounds of either side. */
export function databaseWasTheLimit(figure: Figure): boolean {
  return wasBusy(
    figure,
    ({ databaseCpuShare, loadCpuShare = 0 }) => databaseCpuShare && databaseCpuShare + loadCpuShare,
  );
}

function wasBusy({ rounds }: Figure, share: (sample: Sample) => number | undefined): boolean {
  return [rounds.measured, rounds.reference].some((samples) => (medianOf(samples, share) ?? 0) >= busyShare);
}

/** Whether the ratio and the value reach what is promised, without failures; undefined without a promise. */
export function markIsMet({ mark, limit, ratio, measured, better, failures }: Figure): boolean | undefined {
  if (mark === null && limit === null) return undefined;
  const reaches = (value: number, promised: number | null) =>
    promised === null || (better === 'higher' ? value >= promised : value <= promised);
  return failures === 0 && reaches(ratio.median, mark) && reaches(measured.median, limit);
}

function ratios(
  measured: readonly Sample[],
  other: readonly Sample[],
  figureOf = ({ value }: Sample) => value,
): number[] {
  const others = other.map(figureOf);
  return measured.map((sample, round) => figureOf(sample) / (others[round] ?? Number.NaN));
}

/** Null unless both sides report their processor time. */
function ratioPerCpu(measured: readonly Sample[], other: readonly Sample[]): Spread | null {
  const values = ratios(measured, other, ({ value, cpuShare = Number.NaN }) => value / cpuShare);
  return values.every(Number.isFinite) ? spread(values) : null;
}

/** The promise as the table shows it, and whether it was kept; empty without one. */
export function markText(figure: Figure): string {
  const { mark, limit, unit, better } = figure;
  const sign = better === 'higher' ? '≥' : '≤';
  const promises = [mark ?? [], limit === null ? [] : `${limit} ${unit}`].flat();
  if (promises.length === 0) return '';
  return `${promises.map((promise) => `${sign} ${promise}`).join(', ')} ${markIsMet(figure) ? 'met' : 'MISSED'}`;
}

/** Three significant digits. */
export function numberText(value: number): string {
  return value >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}
