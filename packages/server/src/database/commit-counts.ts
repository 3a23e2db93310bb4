import { Distribution } from '../metrics/distribution.ts';
import type { MetricSource } from '../metrics/metric-source.ts';

const durationLimits = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The embedded database commits up to 64 writes together. */
const writesLimits = [1, 2, 4, 8, 16, 32, 64];

/** Counts the commits of this process. */
export class CommitCounts {
  readonly #durations = new Distribution(durationLimits);
  readonly #writes = new Distribution(writesLimits);

  /** @param writes how many writes became durable with the commit */
  note(writes: number, durationMs: number): void {
    this.#durations.observe(durationMs / 1000);
    this.#writes.observe(writes);
  }

  metricSources(): readonly MetricSource[] {
    return [
      {
        type: 'histogram',
        name: 'fieldroster_commit_duration_seconds',
        help: 'Time from the start of a write transaction to the end of its commit, including waits for locks',
        read: () => [{ distribution: this.#durations }],
      },
      {
        type: 'histogram',
        name: 'fieldroster_commit_writes',
        help: 'Writes that shared one commit; always 1 on PostgreSQL',
        read: () => [{ distribution: this.#writes }],
      },
    ];
  }
}
