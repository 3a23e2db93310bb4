import { limits } from '@fieldroster/contract';
import { issueManager } from '../../e2e/attack/issue-manager.ts';
import { bytesMaxOf, hostileBodies, type LargeBody, validBodies } from '../../e2e/attack/large-bodies.ts';
import { LongestWait } from '../../e2e/attack/longest-wait.ts';
import { sendLargeBody } from '../../e2e/attack/send-large-body.ts';
import { provisionDirectory } from '../../e2e/provision-directory.ts';
import type { Bench } from '../bench.ts';
import { startFieldroster } from '../contenders/fieldroster.ts';
import type { Subject } from '../directory/seed.ts';
import type { Contender, Scenario } from '../measurement.ts';

const [storeCount, idleRequests, mebibyte] = [50_000, 1_000, 1024 * 1024];
const sizes = [limits.bodyBytesMax, limits.batchBodyBytesMax, limits.bulkBodyBytesMax];

/** How long a body delays other clients; a row for each limit on the size of bodies. */
export const longestDelays: readonly Scenario[] = sizes.map((bytes) => {
  const bodiesOf = (storeCodes: readonly string[]) =>
    [...hostileBodies, ...validBodies(storeCodes)].filter((body) => bytesMaxOf(body) === bytes);
  return {
    name: `longest-delay-${bytes / mebibyte}-mib`,
    title: `longest wait of another client beside the worst body of ${bytes / mebibyte} MiB, above idle`,
    comparedTo: 'an idle server',
    unit: 'ms',
    limit: 50,
    plan: { rounds: 3, warmUpSeconds: 0 },
    measured: (bench, subject) => longestDelay(bench, subject, bodiesOf),
    reference: (bench, subject) => longestDelay(bench, subject, () => []),
  };
});

/**
 * Measures the longest wait for a trivial request while the server works on the bodies, above the wait on an idle
 * server.
 */
async function longestDelay(
  bench: Bench,
  subject: Subject,
  bodiesOf: (storeCodes: readonly string[]) => readonly LargeBody[],
): Promise<Contender> {
  const directory = await provisionDirectory(storeCount);
  bench.atEnd(directory.remove);
  const credentials = await issueManager(directory);
  // Bulk writes run in a thread, which would otherwise share a core with the event loop.
  const serving = await startFieldroster(bench, subject, { folder: directory.data }, { cores: 'all' });
  const waits = new LongestWait(serving);
  bench.atEnd(() => waits.close());
  return async () => {
    const idle = await waits.during(Promise.resolve(), idleRequests);
    const delays: number[] = [];
    for (const body of bodiesOf(directory.storeCodes)) {
      const answer = sendLargeBody(serving.url, credentials, body, bytesMaxOf(body));
      delays.push((await waits.during(answer)).wallMs - idle.wallMs);
    }
    return { value: delays.length === 0 ? idle.wallMs : Math.max(0, ...delays) };
  };
}
