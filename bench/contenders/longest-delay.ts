import { issueManager } from '../../e2e/attack/issue-manager.ts';
import { bytesMaxOf, type LargeBody } from '../../e2e/attack/large-bodies.ts';
import { LongestWait } from '../../e2e/attack/longest-wait.ts';
import { sendLargeBody } from '../../e2e/attack/send-large-body.ts';
import { provisionDirectory } from '../../e2e/provision-directory.ts';
import type { Bench, Contender, Sample, Subject } from '../measurement.ts';
import { startBuiltCommand } from './built-command.ts';

const storeCount = 50_000;
const idleRequests = 1_000;

/**
 * The longest time that a request without work takes on a server that works on the bodies in turn, in milliseconds
 * above that on the same server when it is idle; without bodies, that time itself.
 */
export async function longestDelay(
  bench: Bench,
  subject: Subject,
  bodiesOf: (storeCodes: readonly string[]) => readonly LargeBody[],
): Promise<Contender> {
  const directory = await provisionDirectory(storeCount);
  const credentials = await issueManager(directory);
  const serving = await startBuiltCommand(bench, subject, { folder: directory.data });
  const waits = new LongestWait(serving);
  const measure = async (): Promise<Sample> => {
    const idle = await waits.during(Promise.resolve(), idleRequests);
    const delays: number[] = [];
    for (const body of bodiesOf(directory.storeCodes)) {
      const answer = sendLargeBody(serving.url, credentials, body, bytesMaxOf(body));
      delays.push((await waits.during(answer)).wallMs - idle.wallMs);
    }
    return { value: delays.length === 0 ? idle.wallMs : Math.max(0, ...delays) };
  };
  const stop = async () => {
    waits.close();
    await serving.stop();
    await directory.remove();
  };
  return { measure, stop };
}
