import { inHttp, signedBy } from '../load/requests.ts';
import type { Bench, Contender, Sample, Subject } from '../measurement.ts';
import { searchTraffic, userLists } from '../scenarios/list-users.ts';
import { mixedTraffic, queryUserTraffic } from '../scenarios/traffic.ts';
import { startBuiltCommand } from './built-command.ts';
import { ServerUnderLoad } from './server-under-load.ts';

/** A round consists of several pieces, because a signature expires after a minute. */
const pieces = 12;

/** A separate server under all kinds of load in turn: queries, reads and writes mixed, lists and searches. */
export async function minuteOfLoad(bench: Bench, subject: Subject): Promise<Contender> {
  // A separate copy, because the other rows of the group need one without new bindings.
  const directory = await bench.newDirectory(subject);
  const serving = await startBuiltCommand(bench, subject, directory);
  const encode = inHttp(signedBy(directory));
  const { users } = subject;
  // The mixed load binds users without a store, so the list of them may be empty.
  const lists = userLists.map(({ traffic }) => ({ ...traffic(users), successPrefix: '{"code":0' }));
  const loads = [queryUserTraffic(users), mixedTraffic(users), ...lists, searchTraffic(users)].map(
    (traffic) => new ServerUnderLoad(bench, serving, { ...traffic, encode }),
  );
  const measure = async (seconds: number) => {
    const samples: Sample[] = [];
    for (let piece = 0; piece < pieces; piece += 1) {
      const load = loads[piece % loads.length];
      if (load !== undefined) samples.push(await load.measure(seconds / pieces));
    }
    return together(samples);
  };
  return { measure, stop: () => serving.stop() };
}

/** The memory at the end, and all failures. */
function together(samples: readonly Sample[]): Sample {
  const last = samples.at(-1);
  const failures = samples.reduce((sum, sample) => sum + (sample.failures ?? 0), 0);
  return {
    value: last?.value ?? Number.NaN,
    failures,
    ...(last?.anonymousBytes !== undefined && { anonymousBytes: last.anonymousBytes }),
  };
}
