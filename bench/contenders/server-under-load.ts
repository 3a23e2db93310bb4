import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Encoder, type PlainRequest, writeRequestFile } from '../load/requests.ts';
import type { Bench, BenchPostgres, Contender, Load, LoadResult, Sample, Serving } from '../measurement.ts';
import { type Usage, usageOf } from '../process/usage.ts';

/** The requests of a round. */
export interface Traffic {
  readonly connections: number;
  /** Makes the requests of one round. */
  readonly requests: (count: number) => Iterable<PlainRequest>;
  /** Sends each request once, as a signed write must be; otherwise repeats them. */
  readonly once: boolean;
  /** The number of requests for the first round, whose rate is unknown. */
  readonly firstCount: number;
  /** The beginning of every successful body; by default, that of our envelope. */
  readonly successPrefix?: string;
}

export interface LoadPlan extends Traffic {
  readonly encode: Encoder;
  /** By default, the generator of the run. */
  readonly load?: Load;
}

/** The number of different requests that reads repeat. */
export const distinctReads = 20_000;

/** The requests of a round of writes, relative to those that the last round answered. */
const writeReserve = 1.6;
const requestsPerConnectionMin = 3;

/** A server that answers prepared requests; its value is answers per second. */
export class ServerUnderLoad implements Contender {
  readonly #bench: Bench;
  readonly #serving: Serving;
  readonly #plan: LoadPlan;
  readonly #requestFile: string;
  readonly #database: BenchPostgres | undefined;
  #perSecond: number | undefined;

  /** @param database the server's PostgreSQL, whose usage is reported as well */
  constructor(bench: Bench, serving: Serving, plan: LoadPlan, database?: BenchPostgres) {
    this.#bench = bench;
    this.#serving = serving;
    this.#plan = plan;
    this.#database = database;
    this.#requestFile = join(bench.newFolder(), 'requests');
  }

  async measure(seconds: number): Promise<Sample> {
    const { requests, connections, once, encode, successPrefix = '{"code":0' } = this.#plan;
    writeRequestFile(this.#requestFile, requests(this.#requestCount(seconds)), encode);
    const { pid, url } = this.#serving;
    const round = { url, requestFile: this.#requestFile, seconds, connections, once, successPrefix };
    const databaseBefore = this.#database?.cpuSeconds();
    const before = usageOf(pid);
    const { load = this.#bench.load } = this.#plan;
    const result = await load.run(round);
    if (!isRunning(pid)) throw new Error('the server ended during a round');
    const ofDatabase = toDatabaseSample(databaseBefore, this.#database, result);
    const sample = { ...toSample(result, before, usageOf(pid)), ...ofDatabase };
    this.#perSecond = result.requests / result.seconds;
    await becomeIdle(pid);
    return sample;
  }

  stop(): Promise<void> {
    return this.#serving.stop();
  }

  #requestCount(seconds: number): number {
    const { once, firstCount, connections } = this.#plan;
    if (!once || this.#perSecond === undefined) return firstCount;
    // The round ends with the last request, so each connection needs several.
    return Math.ceil(this.#perSecond * seconds * writeReserve) + requestsPerConnectionMin * connections;
  }
}

const [idleLookMs, idleLooksMax, idleCpuSeconds] = [100, 50, 0.02];

/** Waits until a server has finished the work of clients that left, such as hashing passwords. */
async function becomeIdle(pid: number): Promise<void> {
  for (let looks = 0; looks < idleLooksMax; looks += 1) {
    const before = usageOf(pid);
    await delay(idleLookMs);
    const after = usageOf(pid);
    if (before === undefined || after === undefined) return;
    if (after.cpuSeconds - before.cpuSeconds <= idleCpuSeconds) return;
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function toDatabaseSample(
  cpuBefore: number | undefined,
  database: BenchPostgres | undefined,
  { seconds }: LoadResult,
): Partial<Sample> {
  const [cpuAfter, databaseBytes] = [database?.cpuSeconds(), database?.memoryBytes()];
  if (cpuBefore === undefined || cpuAfter === undefined) return {};
  const databaseCpuShare = (cpuAfter - cpuBefore) / seconds;
  return { databaseCpuShare, ...(databaseBytes !== undefined && { databaseBytes }) };
}

function toSample(result: LoadResult, before: Usage | undefined, after: Usage | undefined): Sample {
  const { requests, seconds, failures, p50Ms, p99Ms, p999Ms, cpuSeconds } = result;
  return {
    // A broken connection is a failure without an answer.
    value: Math.max(0, requests - failures) / seconds,
    failures,
    p50Ms,
    p99Ms,
    p999Ms,
    loadCpuShare: cpuSeconds / seconds,
    ...(before &&
      after && {
        cpuShare: (after.cpuSeconds - before.cpuSeconds) / seconds,
        anonymousBytes: after.anonymousBytes,
      }),
  };
}
