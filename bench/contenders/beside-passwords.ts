import type { Bench, Contender, Subject } from '../measurement.ts';
import { createUserTraffic, queryUserTraffic } from '../scenarios/traffic.ts';
import { serveFieldroster } from './fieldroster.ts';

/** Reads of a server that creates users with passwords as fast as it can at the same time. */
export async function readsBesidePasswords(bench: Bench, subject: Subject): Promise<Contender> {
  const { load, stop } = await serveFieldroster(bench, subject, { cores: bench.cores.all });
  const [reads, writes] = [load(({ users }) => queryUserTraffic(users)), load(createUserTraffic)];
  // The first round of writes finds the highest possible rate.
  await writes.measure(1);
  return {
    async measure(seconds) {
      const [{ p99Ms = Number.NaN, ...sample }, created] = await Promise.all([
        reads.measure(seconds),
        writes.measure(seconds),
      ]);
      return { ...sample, value: p99Ms, failures: (sample.failures ?? 0) + (created.failures ?? 0) };
    },
    stop,
  };
}
