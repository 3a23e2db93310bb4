import { limits } from '@fieldroster/contract';
import { bytesMaxOf, hostileBodies, validBodies } from '../../e2e/attack/large-bodies.ts';
import { longestDelay } from '../contenders/longest-delay.ts';
import type { Scenario } from '../measurement.ts';

const mebibyte = 1024 * 1024;
const sizes = [limits.bodyBytesMax, limits.batchBodyBytesMax, limits.bulkBodyBytesMax];

/** How long a body keeps other clients waiting, above what they wait for on an idle server. */
const delayMsMax = 50;

/** One for each limit on the size of bodies. */
export const longestDelays: readonly Scenario[] = sizes.map((bytes) => {
  const bodiesOf = (storeCodes: readonly string[]) =>
    [...hostileBodies, ...validBodies(storeCodes)].filter((body) => bytesMaxOf(body) === bytes);
  return {
    name: `longest-delay-${bytes / mebibyte}-mib`,
    title: `longest wait of another client beside the worst body of ${bytes / mebibyte} MiB, above idle`,
    comparedTo: 'an idle server',
    unit: 'ms',
    better: 'lower',
    limit: delayMsMax,
    plan: { rounds: 3, warmUpSeconds: 0 },
    measured: (bench, subject) => longestDelay(bench, subject, bodiesOf),
    reference: (bench, subject) => longestDelay(bench, subject, () => []),
  };
});
