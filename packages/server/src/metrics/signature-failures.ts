import type { CallCounts } from './call-counts.ts';
import type { MetricSource, Sample } from './metric-source.ts';

/** Refusals before any signature is compared, by their code. */
const causesByCode = [
  [1011, 'malformed-header'],
  [1012, 'expired'],
  [1013, 'unknown-application'],
] as const;

/**
 * Describes the requests that failed authentication.
 *
 * @param mistakes how often each known mistake was found behind a wrong signature (1014)
 */
export function signatureFailures(counts: CallCounts, mistakes: ReadonlyMap<string, number>): MetricSource {
  return {
    type: 'counter',
    name: 'fieldroster_signature_failures_total',
    help: 'Requests refused for their signing headers or signature, by likely cause',
    labelNames: ['cause'],
    *read(): Iterable<Sample> {
      for (const [code, cause] of causesByCode) yield { labels: { cause }, value: counts.answeredWith(code) };
      for (const [cause, value] of mistakes) yield { labels: { cause }, value };
    },
  };
}
