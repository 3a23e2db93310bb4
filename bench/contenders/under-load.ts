import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Bench } from '../bench.ts';
import type { BenchPostgres } from '../directory/bench-postgres.ts';
import { type HeadersOf, type PlainRequest, writeRequestFile } from '../load/requests.ts';
import { runWrk } from '../load/wrk.ts';
import type { Contender } from '../measurement.ts';
import type { Serving } from '../process/start.ts';
import { watchUsage } from '../process/usage.ts';

/** The requests of a load. */
export interface Traffic {
  readonly connections: number;
  /** The request with that number, from 0. The same number always means the same request. */
  readonly request: (index: number) => PlainRequest;
  /** Sends each request once in a run, as a signed write must be; otherwise repeats the first ones. */
  readonly once: boolean;
  /** The number of requests for the first round, whose rate is unknown; of those that are repeated, for every round. */
  readonly firstCount: number;
  /** The beginning of every successful body; by default, that of our envelope. */
  readonly successPrefix?: string;
}

/** The requests for a directory with that many users. */
export type TrafficOf = (users: number) => Traffic;

/** How many writes to prepare for a round, as a multiple of those answered in the last one. */
const writeReserve = 1.6;
const requestsPerConnectionMin = 3;

/**
 * Loads a server that answers prepared requests, and measures its answers per second.
 *
 * @param database the server's PostgreSQL, whose usage is reported as well
 */
export function underLoad(
  bench: Bench,
  { pid, url }: Serving,
  plan: Traffic & { readonly headersOf: HeadersOf },
  database?: BenchPostgres,
): Contender {
  const { connections, once, firstCount, headersOf, successPrefix = '{"code":0' } = plan;
  const requestFile = join(bench.newFolder(), 'requests');
  let perSecond: number | undefined;
  let sent = 0;
  const countFor = (seconds: number) =>
    once && perSecond !== undefined
      ? // The round ends with the last request, so each connection needs several.
        Math.ceil(perSecond * seconds * writeReserve) + requestsPerConnectionMin * connections
      : firstCount;
  return async (seconds) => {
    const [first, count] = [once ? sent : 0, countFor(seconds)];
    sent += count;
    const requests = Array.from({ length: count }, (_, index) => plan.request(first + index));
    writeRequestFile(requestFile, requests, headersOf);
    const [usageOfDatabase, usage] = [watchUsage(database?.pid), watchUsage(pid)];
    const round = { url, requestFile, seconds, connections, once, successPrefix };
    const measured = await runWrk(bench.cores.load, round);
    const { answers, failures, cpuSeconds, seconds: elapsed, ...latencies } = measured;
    const sample = { ...usage(elapsed), databaseCpuShare: usageOfDatabase(elapsed).cpuShare };
    perSecond = answers / elapsed;
    await becomeIdle(pid);
    return {
      // A broken connection is a failure without an answer.
      value: Math.max(0, answers - failures) / elapsed,
      failures,
      ...latencies,
      loadCpuShare: cpuSeconds / elapsed,
      ...sample,
    };
  };
}

const [idleLookMs, idleLooksMax, idleCpuShare] = [100, 50, 0.2];

/** Waits until a server has finished the work of clients that left, such as hashing passwords. */
async function becomeIdle(pid: number): Promise<void> {
  for (let looks = 0; looks < idleLooksMax; looks += 1) {
    const usage = watchUsage(pid);
    await delay(idleLookMs);
    const { cpuShare = 0 } = usage(idleLookMs / 1000);
    if (cpuShare <= idleCpuShare) return;
  }
}
