import type { Contender, Sample } from '../measurement.ts';

/** The same contender, of which another figure than its own is looked at. */
export function revalued(contender: Contender, figureOf: (sample: Sample) => number): Contender {
  const revalue = (sample: Sample) => ({ ...sample, value: figureOf(sample) });
  return {
    measure: async (seconds) => revalue(await contender.measure(seconds)),
    profile: async (seconds, file) => {
      const { profile = contender.measure } = contender;
      return revalue(await profile.call(contender, seconds, file));
    },
    stop: () => contender.stop(),
  };
}

export function p99({ p99Ms = Number.NaN }: Sample): number {
  return p99Ms;
}

/** In millions of bytes. */
export function residentMegabytes({ residentBytes = Number.NaN }: Sample): number {
  return residentBytes / 1e6;
}
