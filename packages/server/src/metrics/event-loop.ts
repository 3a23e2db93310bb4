import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import type { MetricSource } from './metric-source.ts';

const resolutionMs = 10;

/** Delays are reported over this time, so that several Prometheus servers can scrape without disturbing each other. */
const windowMs = 15_000;

interface Delays {
  readonly p99Seconds: number;
  readonly maxSeconds: number;
}

/** Measures how late the event loop runs its timers, and how busy it is. */
export class EventLoop {
  readonly #histogram = monitorEventLoopDelay({ resolution: resolutionMs });
  readonly #window: NodeJS.Timeout;
  #last: Delays | undefined;

  constructor() {
    this.#histogram.enable();
    this.#window = setInterval(() => {
      this.#last = this.#current();
      this.#histogram.reset();
    }, windowMs).unref();
  }

  stop(): void {
    clearInterval(this.#window);
    this.#histogram.disable();
  }

  metricSources(): readonly MetricSource[] {
    return [
      {
        type: 'gauge',
        name: 'fieldroster_event_loop_delay_p99_seconds',
        help: 'How late timers run, 99th percentile of the last 15 seconds; the worst of several workers',
        ofWorkers: 'max',
        read: () => this.#delays().p99Seconds,
      },
      {
        type: 'gauge',
        name: 'fieldroster_event_loop_delay_max_seconds',
        help: 'How late timers run, maximum of the last 15 seconds; the worst of several workers',
        ofWorkers: 'max',
        read: () => this.#delays().maxSeconds,
      },
      {
        type: 'counter',
        name: 'fieldroster_event_loop_active_seconds_total',
        help: 'Time that event loops spent working rather than waiting',
        read: () => performance.eventLoopUtilization().active / 1000,
      },
    ];
  }

  /** Returns the delays of the last full window, or of the unfinished one if that is worse. */
  #delays(): Delays {
    const current = this.#current();
    const last = this.#last ?? current;
    return {
      p99Seconds: last.p99Seconds,
      maxSeconds: Math.max(current.maxSeconds, last.maxSeconds),
    };
  }

  #current(): Delays {
    return { p99Seconds: late(this.#histogram.percentile(99)), maxSeconds: late(this.#histogram.max) };
  }
}

/** The histogram holds whole intervals between two timers, in nanoseconds. */
function late(nanoseconds: number): number {
  return Math.max(0, nanoseconds / 1e9 - resolutionMs / 1000);
}
