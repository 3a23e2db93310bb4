/** What one round of one contender gave. */
export interface Sample {
  /** In the scenario's unit. */
  readonly value: number;
  /** Answers with a code other than 0, and errors of the connection. */
  readonly failures?: number;
  readonly p50Ms?: number;
  readonly p99Ms?: number;
  readonly p999Ms?: number;
  /** Share of one core that the measured process used, 1 being all of it; known on Linux only. */
  readonly cpuShare?: number;
  /** Memory of the measured process after the round, in bytes; known on Linux only. */
  readonly residentBytes?: number;
  /** Share of its core that the load generator used: near 1 it, and not the server, was the limit. */
  readonly loadCpuShare?: number;
}

/** Something that can be measured round by round: a server under load, or a program that counts. */
export interface Contender {
  measure(seconds: number): Promise<Sample>;
  /** Measures one more round while the process writes a CPU profile to the file. */
  profile?(seconds: number, file: string): Promise<Sample>;
  stop(): Promise<void>;
}

/** Where the code under test lies, and how much there is to work on. */
export interface Subject {
  /** Folder of a checkout: this one, or the one that it is compared with. */
  readonly root: string;
  readonly users: number;
}

/** One measurement and what it is compared to in the same run. */
export interface Scenario {
  /** Names it on the command line and in result files. */
  readonly name: string;
  readonly title: string;
  readonly comparedTo: string;
  readonly unit: string;
  readonly better: 'higher' | 'lower';
  /** The ratio that the project promises. */
  readonly mark?: number;
  /** Only with `--full`. */
  readonly full?: boolean;
  readonly measured: (bench: Bench, subject: Subject) => Promise<Contender>;
  readonly reference: (bench: Bench, subject: Subject) => Promise<Contender>;
}

/** What a scenario needs from the run it is part of. */
export interface Bench {
  readonly cores: Cores;
  readonly load: Load;
  readonly users: number;
  /** A new empty folder below the run's own; all of them are removed at its end. */
  newFolder(): string;
  /** A copy of a seeded directory of that many users. */
  newDirectory(subject: Subject): Promise<SeededDirectory>;
}

/** Lists of processors as `taskset` reads them; absent where processes cannot be pinned. */
export interface Cores {
  readonly server: string | undefined;
  readonly load: string | undefined;
  readonly all: string | undefined;
}

export interface SeededDirectory {
  readonly folder: string;
  readonly appId: string;
  readonly appSecret: string;
  readonly users: number;
}

export interface LoadRequest {
  readonly url: string;
  /** Written by `writeRequestFile`. */
  readonly requestFile: string;
  readonly seconds: number;
  readonly connections: number;
  /** Ends the round early when every request was sent, instead of beginning anew. */
  readonly once: boolean;
}

export interface LoadResult {
  readonly requests: number;
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
