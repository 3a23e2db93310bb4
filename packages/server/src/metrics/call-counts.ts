import { errorCodes, operations } from '@fieldroster/contract';
import type { CallObserver } from '../http/log/call-observer.ts';
import { Distribution } from './distribution.ts';
import type { Labels, MetricSource, Sample } from './metric-source.ts';

/** Upper limits of durations, in seconds; 0.25 is the limit of the objective in deploy/prometheus. */
const durationLimits = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Codes that are reported from the start: a rate needs a value before the first failure. */
const codesFromStart = [0, 1500, 1503];

/** Label value of requests that reached no operation, and of codes that the catalogue does not have. */
const otherLabel = 'other';

const knownCodes = new Set([0, ...Object.keys(errorCodes).map(Number)]);

/** Stands in `byCode` for every code outside the catalogue. */
const otherCode = -1;

class OperationCounts {
  readonly byCode = new Map<number, number>(codesFromStart.map((code) => [code, 0]));
  readonly durations = new Distribution(durationLimits);
}

/** Counts the answered requests of this process by operation and code, and their durations. */
export class CallCounts implements CallObserver {
  readonly #other = new OperationCounts();
  readonly #byOperation = new Map<string, OperationCounts>([
    ...Object.values(operations).map(({ name }) => [name, new OperationCounts()] as const),
    [otherLabel, this.#other],
  ]);

  noteAnswer(operation: string | undefined, code: number, durationMs: number): void {
    const counts = (operation !== undefined && this.#byOperation.get(operation)) || this.#other;
    const counted = knownCodes.has(code) ? code : otherCode;
    counts.byCode.set(counted, (counts.byCode.get(counted) ?? 0) + 1);
    counts.durations.observe(durationMs / 1000);
  }

  /** Does not count the duration: such answers would make an overloaded server look fast. */
  noteRefusedUnseen(code: 1429 | 1503): void {
    this.#other.byCode.set(code, (this.#other.byCode.get(code) ?? 0) + 1);
  }

  /** Returns how many requests were answered with the code. */
  answeredWith(code: number): number {
    let sum = 0;
    for (const { byCode } of this.#byOperation.values()) sum += byCode.get(code) ?? 0;
    return sum;
  }

  metricSources(): readonly MetricSource[] {
    return [
      {
        type: 'counter',
        name: 'fieldroster_requests_total',
        help: 'Answered requests by operation and code of the envelope',
        labelNames: ['operation', 'code'],
        read: () => this.#samples(),
      },
      {
        type: 'histogram',
        name: 'fieldroster_request_duration_seconds',
        help: 'Time from the arrival of a request until its answer is ready',
        labelNames: ['operation'],
        read: () => this.#durations(),
      },
      {
        type: 'counter',
        name: 'fieldroster_replays_refused_total',
        help: 'Signed requests refused because they were processed before (1015)',
        read: () => this.answeredWith(1015),
      },
    ];
  }

  *#samples(): Iterable<Sample> {
    for (const [operation, { byCode }] of this.#byOperation) {
      for (const [code, value] of byCode) yield { labels: { operation, code: codeLabel(code) }, value };
    }
  }

  *#durations(): Iterable<{ labels: Labels; distribution: Distribution }> {
    for (const [operation, { durations }] of this.#byOperation) {
      if (durations.count > 0) yield { labels: { operation }, distribution: durations };
    }
  }
}

function codeLabel(code: number): string {
  return code === otherCode ? otherLabel : String(code);
}
