import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Encoder, type PlainRequest, writeRequestFile } from '../load/request-file.ts';
import type { Bench, BenchPostgres, Contender, Load, LoadResult, Sample } from '../measurement.ts';
import type { Serving } from '../process/serving.ts';
import { type Usage, usageOf } from '../process/usage.ts';

/** What is sent to a server in a round. */
export interface Traffic {
  readonly connections: number;
  /** Requests for one round; called anew for each, so that every signed write is a different one. */
  readonly requests: (count: number) => Iterable<PlainRequest>;
  /** Reads may be sent again and again, a signed write is accepted once. */
  readonly once: boolean;
  /** How many requests to prepare for a round whose rate is not known yet. */
  readonly firstCount: number;
  /** Is told how many of the round's requests were answered, which are the first ones. */
  readonly answered?: (count: number) => void;
  /** How the body of an answer begins that is no failure; the envelope of a success when left out. */
  readonly successPrefix?: string;
}

export interface LoadPlan extends Traffic {
  readonly encode: Encoder;
  /** The run's own when left out. */
  readonly load?: Load;
}

/** Reads go round this many different requests. */
export const distinctReads = 20_000;

/** A round of writes gets this many times the requests that the last one answered in the same time. */
const writeReserve = 1.6;
const requestsPerConnectionMin = 3;

/** A server process that answers prepared requests; its value is answers per second. */
export class ServerUnderLoad implements Contender {
  readonly #bench: Bench;
  readonly #serving: Serving;
  readonly #plan: LoadPlan;
  readonly #requestFile: string;
  readonly #database: BenchPostgres | undefined;
  #perSecond: number | undefined;

  /** @param database the one that the server reads, whose processor time is told as well */
  constructor(bench: Bench, serving: Serving, plan: LoadPlan, database?: BenchPostgres) {
    this.#bench = bench;
    this.#serving = serving;
    this.#plan = plan;
    this.#database = database;
    this.#requestFile = join(bench.newFolder(), 'requests');
  }

  async measure(seconds: number): Promise<Sample> {
    const { requests, connections, once, encode, successPrefix = '{"code":0', answered } = this.#plan;
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
    answered?.(result.requests);
    await becomeIdle(pid);
    return sample;
  }

  async profile(seconds: number, file: string): Promise<Sample> {
    const work = () => this.measure(seconds);
    return this.#serving.profile === undefined ? work() : this.#serving.profile(file, work);
  }

  stop(): Promise<void> {
    return this.#serving.stop();
  }

  #requestCount(seconds: number): number {
    const { once, firstCount, connections } = this.#plan;
    if (!once || this.#perSecond === undefined) return firstCount;
    // The round ends when the last one is sent: each connection needs more than the one that it begins with.
    return Math.ceil(this.#perSecond * seconds * writeReserve) + requestsPerConnectionMin * connections;
  }
}

const [idleLookMs, idleLooksMax, idleCpuSeconds] = [100, 50, 0.02];

/** Waits for what a server still does after its clients left: passwords to hash would burden the next round. */
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
        residentBytes: after.residentBytes,
      }),
  };
}
