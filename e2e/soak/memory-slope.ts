/** A value at a time, in hours since the start. */
export interface Sample {
  readonly hours: number;
  readonly value: number;
}

/** The trend of a value, per hour. */
export interface Slope {
  readonly perHour: number;
  /** Half-width of the 99 % confidence interval. */
  readonly uncertainty: number;
}

/**
 * Standard deviations on either side of the mean that hold 99 % of a normal distribution.
 * Student's t hardly differs with hundreds of samples.
 */
const deviationsOf99 = 2.58;

/** Samples are autocorrelated, so batches of this many are averaged. */
const samplesOfMean = 10;

/**
 * Fits a line to the second half of the samples by least squares. The first half is left out, because caches and the
 * heap grow to their size there.
 */
export function slopeOf(samples: readonly Sample[]): Slope {
  const points = meansOf(samples.slice(Math.floor(samples.length / 2)));
  if (points.length < 4) throw new RangeError(`${samples.length} samples are too few; run for longer`);
  const mean = { hours: average(points.map(({ hours }) => hours)), value: average(points.map(readValue)) };
  const spread = sum(points.map(({ hours }) => (hours - mean.hours) ** 2));
  const perHour =
    sum(points.map((point) => (point.hours - mean.hours) * (point.value - mean.value))) / spread;
  const residuals = points.map((point) => point.value - mean.value - perHour * (point.hours - mean.hours));
  const variance = sum(residuals.map((residual) => residual ** 2)) / (points.length - 2);
  return { perHour, uncertainty: deviationsOf99 * Math.sqrt(variance / spread) };
}

/** Whether a value grows by more than is allowed; `unclear` if the run was too short to tell. */
export type Verdict = 'steady' | 'grows' | 'unclear';

/** Judges only what holds over the whole confidence interval, so that a short or noisy run never passes by its noise. */
export function judgeSlope({ perHour, uncertainty }: Slope, allowedPerHour: number): Verdict {
  if (perHour - uncertainty > allowedPerHour) return 'grows';
  return perHour + uncertainty <= allowedPerHour ? 'steady' : 'unclear';
}

function meansOf(samples: readonly Sample[]): Sample[] {
  const means: Sample[] = [];
  for (let start = 0; start + samplesOfMean <= samples.length; start += samplesOfMean) {
    const group = samples.slice(start, start + samplesOfMean);
    means.push({ hours: average(group.map(({ hours }) => hours)), value: average(group.map(readValue)) });
  }
  return means;
}

function readValue({ value }: Sample): number {
  return value;
}

function average(values: readonly number[]): number {
  return sum(values) / values.length;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
