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

/** The code under test, and the size of its directory. */
export interface Subject {
  /** Folder of a checkout: this one, or the one given by `--compare`. */
  readonly root: string;
  readonly users: number;
}

/** Starts a contender for a row. It ends with the bench. */
export type StartContender = (bench: Bench, subject: Subject) => Promise<Contender>;

/** The contender with another of its figures as its value. */
export function withValue(start: StartContender, figureOf: (sample: Sample) => number): StartContender {
  return async (bench, subject) => {
    const contender = await start(bench, subject);
    return async (seconds) => {
      const sample = await contender(seconds);
      return { ...sample, value: figureOf(sample) };
    };
  };
}

/** The time within which 99 of 100 requests are answered. */
export function p99Of(start: StartContender): StartContender {
  return withValue(start, ({ p99Ms = Number.NaN }) => p99Ms);
}

export interface RoundPlan {
  readonly rounds: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
}

/** Higher is better for rates, lower for everything else. */
export type Unit = `${string}/s` | 'ms' | 'MB';

/** One row: a measurement and its reference in the same run. */
export interface Scenario {
  /** Its name on the command line and in result files. */
  readonly name: string;
  readonly title: string;
  readonly comparedTo: string;
  /** By default, requests a second. */
  readonly unit?: Unit;
  /** The ratio that the project promises. */
  readonly mark?: number;
  /** The measured value that the project promises, in the scenario's unit. */
  readonly limit?: number;
  /** Consecutive scenarios of one group share what they keep in the bench. */
  readonly group?: string;
  /** Overrides the rounds of the run. */
  readonly plan?: Partial<RoundPlan>;
  /** Runs only with `--full`. */
  readonly full?: boolean;
  /** Runs only with `--peers`: it starts, and may install, servers of other projects. */
  readonly peer?: boolean;
  /** Why this machine cannot run it; undefined when it can. */
  readonly unavailable?: () => string | undefined;
  readonly measured: StartContender;
  readonly reference: StartContender;
}

export type EngineName = 'SQLite' | 'PostgreSQL';

/** The resources that the scenarios of a run share. */
export interface Run extends AsyncDisposable {
  readonly cores: Cores;
  readonly load: Load;
  /** Makes an empty folder, which is removed at the end of the run. */
  readonly newFolder: () => string;
  /** Copies a seeded directory with that many users. */
  readonly newDirectory: (subject: Subject, engine?: EngineName) => Promise<SeededDirectory>;
  /** The PostgreSQL of this run. The first call starts it. */
  readonly postgres: () => Promise<BenchPostgres>;
  /** Sentences for the reader of the figures about how they were measured. */
  readonly notes: string[];
}

/** The same resources for one row or one group. Disposing of it stops what was started on it. */
export interface Bench extends Run {
  /** Calls the function at the end, the newest first. */
  atEnd(stop: () => unknown): void;
  /** Starts something for the group; later callers with the same key get the same thing. */
  keep<Thing>(key: string, start: (group: Bench) => Promise<Thing>): Promise<Thing>;
}

/** A PostgreSQL server that the contenders of a run use in turn. */
export interface BenchPostgres {
  /** Its first process; undefined when it runs elsewhere. */
  readonly pid: number | undefined;
  createDatabase(): Promise<string>;
  /** Copies a database without open connections, and returns the copy's URL. */
  copyDatabase(url: string): Promise<string>;
  stop(): Promise<void>;
}

/** Processor lists for `taskset`; undefined where processes cannot be pinned. */
export interface Cores {
  readonly server: string | undefined;
  readonly load: string | undefined;
  /** The same as `load` where there are only two. */
  readonly database: string | undefined;
  readonly all: string | undefined;
}

export interface SeededDirectory {
  readonly folder: string;
  readonly appId: string;
  readonly appSecret: string;
  readonly users: number;
  /** URL of its PostgreSQL database; undefined when SQLite holds it in the folder. */
  readonly database?: string;
}

/** A server process that is ready. */
export interface Serving {
  readonly pid: number;
  readonly url: string;
}

export interface LoadRequest {
  readonly url: string;
  /** Written by `writeRequestFile`. */
  readonly requestFile: string;
  readonly seconds: number;
  readonly connections: number;
  /** Ends the round after the last request, instead of repeating them. */
  readonly once: boolean;
  /** The beginning of every successful body. */
  readonly successPrefix: string;
}

export interface LoadResult {
  readonly answers: number;
  readonly seconds: number;
  readonly failures: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly p999Ms: number;
  readonly cpuSeconds: number;
}

/** A load generator. */
export interface Load {
  readonly name: string;
  run(request: LoadRequest): Promise<LoadResult>;
}

/** Each contender's samples, by round. */
export interface ScenarioSamples {
  readonly measured: readonly Sample[];
  readonly reference: readonly Sample[];
  /** The same measurement of the revision given by `--compare`. */
  readonly before?: readonly Sample[];
}
