/** Counts values by size, for a Prometheus histogram. Observing a value only adds to plain numbers. */
export class Distribution {
  /** Upper limits of the buckets, ascending; values above the last one are only in `count`. */
  readonly limits: readonly number[];
  /** Values per bucket, not cumulated. */
  readonly counts: number[];
  sum = 0;
  count = 0;

  constructor(limits: readonly number[]) {
    this.limits = limits;
    this.counts = limits.map(() => 0);
  }

  observe(value: number): void {
    this.sum += value;
    this.count += 1;
    const { limits, counts } = this;
    for (let index = 0; index < limits.length; index++) {
      if (value <= (limits[index] as number)) {
        counts[index] = (counts[index] as number) + 1;
        return;
      }
    }
  }
}
