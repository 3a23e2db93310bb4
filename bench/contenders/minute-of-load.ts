import { inHttp, signedBy } from '../load/request-file.ts';
import type { Bench, Contender, Sample, Subject } from '../measurement.ts';
import { searchTraffic, userLists } from '../scenarios/list-users.ts';
import { mixed } from '../scenarios/operation-traffic.ts';
import { queryUserTraffic } from '../scenarios/query-user.ts';
import { startBuiltCommand } from './built-command.ts';
import { ServerUnderLoad } from './server-under-load.ts';

/** A round is cut into so many pieces, because a signature lives for a minute. */
const pieces = 12;

/** A server of its own under all kinds of load in turn: queries, reads and writes mixed, lists and searches. */
export async function minuteOfLoad(bench: Bench, subject: Subject): Promise<Contender> {
  // Not the one of its group, which is compared with a small one where nobody has been bound meanwhile.
  const directory = await bench.newDirectory(subject);
  const serving = await startBuiltCommand(bench, subject, directory);
  const encode = inHttp(signedBy(directory));
  const { users } = subject;
  // The mixture binds whoever had no store, so that here a list of those may be empty.
  const lists = userLists.map(({ traffic }) => ({ ...traffic(users), successPrefix: '{"code":0' }));
  const loads = [queryUserTraffic(users), mixed(users), ...lists, searchTraffic(users)].map(
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

/** The memory at the end, and every failure on the way. */
function together(samples: readonly Sample[]): Sample {
  const last = samples.at(-1);
  const failures = samples.reduce((sum, sample) => sum + (sample.failures ?? 0), 0);
  return {
    value: last?.value ?? Number.NaN,
    failures,
    ...(last?.residentBytes !== undefined && { residentBytes: last.residentBytes }),
  };
}
