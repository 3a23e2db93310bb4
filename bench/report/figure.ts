import type { Sample, Scenario } from '../measurement.ts';

/** Each contender's samples, by round. */
export interface ScenarioSamples {
  readonly measured: readonly Sample[];
  readonly reference: readonly Sample[];
  /** The same measurement of the revision given by `--compare`; empty without one. */
  readonly before: readonly Sample[];
}

/** Median and range of the rounds. */
export type Spread = ReturnType<typeof spread>;

/** One line of the table, one entry of the result file. */
export type Figure = ReturnType<typeof toFigure>;

/** Sums up a scenario's rounds. */
export function toFigure(scenario: Omit<Scenario, 'measured' | 'reference'>, rounds: ScenarioSamples) {
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
    /** The promised value; a minimum or a maximum as `better` says. */
    limit,
    /** The measured value divided by the reference's, formed within each round. */
    ratio: spread(ratios(measured, reference)),
    /** The same for the values per second of processor time, which other programs affect less. */
    ratioPerCpu: perCpu(measured, reference),
    measured: spread(measured.map(({ value }) => value)),
    reference: spread(reference.map(({ value }) => value)),
    /** The ratio to the revision given by `--compare`; null without one. */
    ratioToRevision: before.length === 0 ? null : spread(ratios(measured, before)),
    ratioToRevisionPerCpu: before.length === 0 ? null : perCpu(measured, before),
    failures: [...measured, ...reference].reduce((sum, { failures = 0 }) => sum + failures, 0),
    rounds,
  };
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

export function spread(values: readonly number[]) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const at = (index: number) => sorted[index] ?? Number.NaN;
  const median = (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2;
  return { median, min: at(0), max: at(sorted.length - 1) };
}

/** Returns the median of a value that some samples lack. */
export function medianOf(samples: readonly Sample[], pick: (sample: Sample) => number | undefined) {
  const values = samples.map(pick).filter((value) => value !== undefined);
  return values.length === 0 ? undefined : spread(values).median;
}

/** A part that uses this share of its core limits the measurement. */
const busyShare = 0.95;

/** Returns the parts, besides the server, that used all of their core in most rounds of either side. */
export function busyParts({ rounds: { measured, reference } }: Figure): string[] {
  const isBusy = (share: (sample: Sample) => number | undefined) =>
    [measured, reference].some((samples) => (medianOf(samples, share) ?? 0) >= busyShare);
  const load = isBusy(({ loadCpuShare }) => loadCpuShare);
  // PostgreSQL may share the core of the load generator.
  const database = isBusy(
    ({ databaseCpuShare, loadCpuShare = 0 }) => databaseCpuShare && databaseCpuShare + loadCpuShare,
  );
  return [...(load ? ['the load generator'] : []), ...(database ? ['the core of PostgreSQL'] : [])];
}

/** Returns whether the ratio or the value is as good as promised, without failures; undefined if nothing is promised. */
export function markIsMet({ mark, limit, ratio, measured, better, failures }: Figure): boolean | undefined {
  const [promised, reached] = mark === null ? [limit, measured.median] : [mark, ratio.median];
  if (promised === null) return undefined;
  return failures === 0 && (better === 'higher' ? reached >= promised : reached <= promised);
}

/** Returns the promise and whether it was kept, as the table shows them; empty if the figure has no promise. */
export function markText(figure: Figure): string {
  const { mark, limit, unit, better } = figure;
  const isMet = markIsMet(figure);
  if (isMet === undefined) return '';
  return `${better === 'higher' ? '≥' : '≤'} ${mark ?? `${limit} ${unit}`} ${isMet ? 'met' : 'MISSED'}`;
}

/** Rounds to three significant digits. */
export function numberText(value: number): string {
  return value >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}
