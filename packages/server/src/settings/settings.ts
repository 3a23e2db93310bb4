/** How a repeated request is treated: a write is accepted once, or every nonce is, or nothing is checked. */
export type ReplayRule = 'write' | 'nonce' | 'off';

/** Which operators must have a second factor. Each answer but the first includes the roles above it. */
export type SecondFactorRule = 'optional' | 'owners' | 'managers' | 'everyone';

/** The settings of `serve`. */
export interface Settings {
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  /** Folder of the embedded database and of the key file. */
  readonly data: string;
  /** '' or a path that begins with a slash and ends without one. */
  readonly basePath: string;
  readonly httpStatus: 'compatible' | 'standard';
  readonly replay: ReplayRule;
  readonly bodyBytesMax: number;
  readonly batchBodyBytesMax: number;
  /** Requests per second of one application; 0 sets no limit. */
  readonly rateLimit: number;
  /** Addresses of proxies, or their number; '' when nothing is known about proxies. */
  readonly trustProxy: string;
  /** Origins whose pages may call operations, separated by commas; '' for none. */
  readonly corsOrigin: string;
  /** Maximum number of client connections open at once in one process. */
  readonly connectionsMax: number;
  readonly logLevel: 'info' | 'warn' | 'error' | 'silent';
  /** `auto` is `pretty` on a terminal and `json` elsewhere. */
  readonly logFormat: 'auto' | 'json' | 'pretty';
  /** URL of a PostgreSQL database; '' for the embedded one. */
  readonly database: string;
  readonly databaseReplica: string;
  readonly databasePoolSize: number;
  readonly databaseConnectTimeoutMs: number;
  readonly databaseStatementTimeoutMs: number;
  readonly waitForDatabaseSeconds: number;
  /** Whether a database on another machine may be reached without verified TLS. */
  readonly databaseInsecure: boolean;
  readonly migrate: boolean;
  /** Whether the interactive reference and the OpenAPI document are served. */
  readonly docs: boolean;
  /** Processes that serve the port. */
  readonly workers: number;
  /** Seconds between a signal to stop and the end of service, during which `/readyz` fails; 0 ends service at once. */
  readonly drainSeconds: number;
  /** How long requests wait in the queue under overload, in milliseconds of processor time; more are refused. */
  readonly overloadWaitMs: number;
  /** How long summaries of calls are kept; 0 records no calls, not even failed ones. */
  readonly callsKeepDays: number;
  /** Days that audit rows are kept; 0 keeps them forever. */
  readonly auditKeepDays: number;
  /** Host and port where Prometheus scrapes metrics; if '', none are counted or served. */
  readonly metrics: string;
  /** Milliseconds from one backup to the next; if 0, none is made. */
  readonly backupEveryMs: number;
  /** Folder of the scheduled backups; '' for none. */
  readonly backupTo: string;
  /** Number of scheduled backups to keep. */
  readonly backupKeep: number;
  /** Whether the operators' console is served. */
  readonly console: boolean;
  /** Host and port that serve the console in place of the main port; '' when it shares that port. */
  readonly consoleListen: string;
  /** Origin of the console as browsers see it, behind a proxy; '' when they reach this process directly. */
  readonly publicUrl: string;
  readonly secondFactor: SecondFactorRule;
}

/** A setting with values of that type, as every source of settings describes it. */
export interface Definition<Value> {
  /** Flag as on the command line, with the name of its value. */
  readonly flag: string;
  readonly environment: string;
  readonly description: string;
  readonly defaultText: string;
  /** True when the value holds a password, which no message may repeat. */
  readonly secret?: boolean;
  /** True when the value is a list separated by commas, which a configuration file may give as an array. */
  readonly isList?: boolean;
  /** True when the value is a number with a unit, which a configuration file gives as a string. */
  readonly isDuration?: boolean;
  /** Converts the text. Throws an error whose message is what is accepted, as a sentence fragment. */
  readonly parse: (text: string) => Value;
}

/** The definition of each setting, by its key. */
export type SettingDefinitions = { readonly [Key in keyof Settings]: Definition<Settings[Key]> };

export interface SettingDefinition extends Definition<Settings[keyof Settings]> {
  readonly key: keyof Settings;
}
