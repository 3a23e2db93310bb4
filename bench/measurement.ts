import type { Bench } from './bench.ts';
import type { Subject } from './directory/seed.ts';
import type { Options } from './options.ts';

/** The result of one round of one contender. */
export interface Sample {
  /** In the scenario's unit. */
  readonly value: number;
  /** Answers other than success, and errors of the connection. */
  readonly failures?: number | undefined;
  readonly p50Ms?: number | undefined;
  readonly p99Ms?: number | undefined;
  readonly p999Ms?: number | undefined;
  /** Processor time of the measured process, as a share of one core; on Linux only. */
  readonly cpuShare?: number | undefined;
  /** Memory of the measured process after the round, in bytes; on Linux only. */
  readonly anonymousBytes?: number | undefined;
  /** Processor time of the load generator, as a share of one core. Near 1, the generator was the limit. */
  readonly loadCpuShare?: number | undefined;
  /** Processor time of PostgreSQL, as a share of one core, where it runs on this machine. */
  readonly databaseCpuShare?: number | undefined;
}

/** Something measured round by round: a server under load, or a program that counts. Each call is a round. */
export type Contender = (seconds: number) => Promise<Sample>;

/** Starts a contender for a row. It ends with the bench. */
export type StartContender = (bench: Bench, subject: Subject) => Promise<Contender>;

/** Returns the contender with samples that are made from its own. */
export function mapSamples(start: StartContender, change: (sample: Sample) => Sample): StartContender {
  return async (bench, subject) => {
    const contender = await start(bench, subject);
    return async (seconds) => change(await contender(seconds));
  };
}

/** Returns the contender with another value: the time within which it answers 99 of 100 requests. */
export function p99Of(start: StartContender): StartContender {
  return mapSamples(start, (sample) => ({ ...sample, value: sample.p99Ms ?? Number.NaN }));
}

export type RoundPlan = Readonly<Pick<Options, 'rounds' | 'seconds' | 'warmUpSeconds'>>;

/** One row: a measurement and its reference in the same run. */
export interface Scenario {
  /** Its name on the command line and in result files. */
  readonly name: string;
  readonly title: string;
  readonly comparedTo: string;
  /** By default, requests a second. Higher is better for rates, lower for everything else. */
  readonly unit?: `${string}/s` | 'ms' | 'MB';
  /** The ratio that the project promises. */
  readonly mark?: number;
  /** The measured value that the project promises, in the scenario's unit. */
  readonly limit?: number;
  /** Overrides the rounds of the run. */
  readonly plan?: Partial<RoundPlan>;
  /** Runs only with `--full`. */
  readonly full?: boolean;
  /** Runs only with `--peers`: it starts servers of other projects. */
  readonly peer?: boolean;
  /** Why this machine cannot run it; undefined when it can. */
  readonly unavailable?: () => string | undefined;
  readonly measured: StartContender;
  readonly reference: StartContender;
}
