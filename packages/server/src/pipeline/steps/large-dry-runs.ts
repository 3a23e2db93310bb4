import { FairQueue } from '../../fairness/fair-queue.ts';
import { fairQueueMetrics } from '../../metrics/fair-queue-metrics.ts';
import type { MetricSource } from '../../metrics/metric-source.ts';
import { currentDeadline, runUnderDeadline } from '../../time/deadline.ts';
import { carryTrace, inSpan } from '../../tracing/trace.ts';

/** Large dry runs that run at once. Each may hold some 60 MB: the codes of 200,000 stores, as read and as answered. */
const slots = 2;

/** Large dry runs of one application that may wait. */
const burstMax = 64;

/** A dry run of fewer rows takes little more memory than its request does. */
const largeRowsMin = 1_000;

/**
 * Bounds how many dry runs of very many rows run at once, and lets applications take turns: a request of 200 bytes can
 * ask what a batch would do to 200,000 stores.
 */
export class LargeDryRuns {
  readonly #queue = new FairQueue({ things: 'dry runs', slots, burstMax, standingMax: burstMax });

  metricSources(): readonly MetricSource[] {
    return fairQueueMetrics(this.#queue, {
      names: {
        running: 'fieldroster_running_large_dry_runs',
        queued: 'fieldroster_queued_large_dry_runs',
        refused: 'fieldroster_large_dry_runs_refused_total',
      },
      jobs: 'Dry runs that would take 1,000 stores or more from users',
      slots: `${slots} in each process`,
    });
  }

  /**
   * Runs the dry run of the current call.
   *
   * @throws {BusyError} when too many of the application wait, or while this one waits, its deadline passes or the
   *   signal aborts
   */
  run<T>(rows: number, signal: AbortSignal, make: () => Promise<T>): Promise<T> {
    const deadline = currentDeadline();
    if (deadline === undefined || rows < largeRowsMin) return make();
    const job = { owner: deadline.owner, deadline, signal };
    const makeIt = carryTrace(() => runUnderDeadline(deadline, make));
    return inSpan('large dry run', {}, () => this.#queue.run(job, makeIt));
  }
}
