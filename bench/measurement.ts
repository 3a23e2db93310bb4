/** What one round of one contender gave. */
export interface Sample {
  /** In the scenario's unit. */
  readonly value: number;
  /** Answers that were none of success, and errors of the connection. */
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
  /** Share of one core that PostgreSQL used, where it serves the measured process and runs on this machine. */
  readonly databaseCpuShare?: number;
  /** Memory of PostgreSQL's processes after the round, in bytes, what they share counted once. */
  readonly databaseBytes?: number;
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

export interface RoundPlan {
  readonly rounds: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
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
  /** The measured value itself that the project promises, in the scenario's unit. */
  readonly limit?: number;
  /** Scenarios one after the other with the same group share what they keep in the bench. */
  readonly group?: string;
  /** Where this scenario needs other rounds than the run. */
  readonly plan?: Partial<RoundPlan>;
  /** Only with `--full`. */
  readonly full?: boolean;
  /** Only with `--peers`: it starts, and maybe installs, other people's servers. */
  readonly peer?: boolean;
  /** Why this machine cannot run it; nothing when it can. */
  readonly unavailable?: () => string | undefined;
  readonly measured: (bench: Bench, subject: Subject) => Promise<Contender>;
  readonly reference: (bench: Bench, subject: Subject) => Promise<Contender>;
}

export type EngineName = 'SQLite' | 'PostgreSQL';

/** What a scenario needs from the run it is part of. */
export interface Bench {
  readonly cores: Cores;
  readonly load: Load;
  readonly users: number;
  /** Whether profiles will be written, which the built command cannot do. */
  readonly profiled: boolean;
  /** A new empty folder below the run's own; all of them are removed at its end. */
  newFolder(): string;
  /** A copy of a seeded directory of that many users. */
  newDirectory(subject: Subject, engine?: EngineName): Promise<SeededDirectory>;
  /** What the first caller of a group starts, and all others with the same key use as well. */
  keep<Thing>(
    key: string,
    start: () => Promise<Thing>,
    stop?: (thing: Thing) => Promise<void>,
  ): Promise<Thing>;
  /** Stops what is kept, and removes the directories that were handed out; a group has ended. */
  release(): Promise<void>;
  /** The PostgreSQL of this run, which is started when it is first asked for. */
  postgres(): Promise<BenchPostgres>;
  /** What a reader of the figures must know of how they came about, one sentence each. */
  readonly notes: string[];
  close(): Promise<void>;
}

/** A PostgreSQL server that the contenders of a run use in turn. */
export interface BenchPostgres {
  createDatabase(): Promise<string>;
  /** Makes a copy of a database that nobody is connected to, and returns its URL. */
  copyDatabase(url: string): Promise<string>;
  /** Processor time of all of its processes; nothing when it runs elsewhere. */
  cpuSeconds(): number | undefined;
  /** Memory of all of its processes in bytes, likewise. */
  memoryBytes(): number | undefined;
  stop(): Promise<void>;
}

/** Lists of processors as `taskset` reads them; absent where processes cannot be pinned. */
export interface Cores {
  readonly server: string | undefined;
  readonly load: string | undefined;
  /** The load generator's where there are only two. */
  readonly database: string | undefined;
  readonly all: string | undefined;
}

export interface SeededDirectory {
  readonly folder: string;
  readonly appId: string;
  readonly appSecret: string;
  readonly users: number;
  /** URL of the database; the embedded one in the folder when left out. */
  readonly database?: string;
}

export interface LoadRequest {
  readonly url: string;
  /** Written by `writeRequestFile`. */
  readonly requestFile: string;
  readonly seconds: number;
  readonly connections: number;
  /** Ends the round early when every request was sent, instead of beginning anew. */
  readonly once: boolean;
  /** How the body of an answer begins that is no failure. */
  readonly successPrefix: string;
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
