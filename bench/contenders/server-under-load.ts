import { join } from 'node:path';
import { type Credentials, type PlainRequest, writeRequestFile } from '../load/request-file.ts';
import type { Bench, Contender, LoadResult, Sample } from '../measurement.ts';
import { Child, type ChildOptions } from '../process/child.ts';
import { type Usage, usageOf } from '../process/usage.ts';

export interface LoadPlan extends Credentials {
  readonly connections: number;
  /** Requests for one round; called anew for each, so that every signed write is a different one. */
  readonly requests: (count: number) => Iterable<PlainRequest>;
  /** Reads may be sent again and again, a signed write is accepted once. */
  readonly once: boolean;
  /** How many requests to sign for a round whose rate is not known yet. */
  readonly firstCount: number;
}

/** Reads go round this many different requests. */
export const distinctReads = 20_000;

/** A round of writes gets this many times the requests that the last one answered in the same time. */
const writeReserve = 1.6;

/** A server process that answers prepared requests; its value is answers per second. */
export class ServerUnderLoad implements Contender {
  readonly #bench: Bench;
  readonly #plan: LoadPlan;
  readonly #child: Child;
  readonly #url: string;
  readonly #requestFile: string;
  #perSecond: number | undefined;

  private constructor(bench: Bench, plan: LoadPlan, child: Child, url: string) {
    this.#bench = bench;
    this.#plan = plan;
    this.#child = child;
    this.#url = url;
    this.#requestFile = join(bench.newFolder(), 'requests');
  }

  static async start(bench: Bench, options: ChildOptions, plan: LoadPlan): Promise<ServerUnderLoad> {
    const { child, ready } = await Child.start<string>(options);
    return new ServerUnderLoad(bench, plan, child, ready);
  }

  async measure(seconds: number): Promise<Sample> {
    const { requests, connections, once } = this.#plan;
    writeRequestFile(this.#requestFile, requests(this.#requestCount(seconds)), this.#plan);
    const before = usageOf(this.#child.pid);
    const load = { url: this.#url, requestFile: this.#requestFile, seconds, connections, once };
    const result = await this.#bench.load.run(load);
    this.#perSecond = result.requests / result.seconds;
    return toSample(result, before, usageOf(this.#child.pid));
  }

  async profile(seconds: number, file: string): Promise<Sample> {
    await this.#child.ask({ ask: 'start-profile' });
    const sample = await this.measure(seconds);
    await this.#child.ask({ ask: 'write-profile', file });
    return sample;
  }

  stop(): Promise<void> {
    return this.#child.stop();
  }

  #requestCount(seconds: number): number {
    const { once, firstCount } = this.#plan;
    if (!once || this.#perSecond === undefined) return firstCount;
    return Math.ceil(this.#perSecond * seconds * writeReserve);
  }
}

function toSample(result: LoadResult, before: Usage | undefined, after: Usage | undefined): Sample {
  const { requests, seconds, failures, p50Ms, p99Ms, p999Ms, cpuSeconds } = result;
  return {
    value: (requests - failures) / seconds,
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
