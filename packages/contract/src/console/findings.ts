type None = Readonly<Record<string, never>>;

interface Times {
  /** Milliseconds. */
  readonly median: number;
  readonly longest: number;
  readonly count: number;
}

/** A check that could not be made, or only in part. */
export interface UnmadeCheck {
  readonly name: string;
  readonly inPart: boolean;
}

/** Who has a lock, and since when; times are in Unix milliseconds. */
export interface LockValues {
  lockOfProcess: { readonly pid: number; readonly program: string; readonly startedAt?: number };
  lockOfSomebody: None;
  lockOfSession: {
    readonly pid: number;
    readonly application: string;
    readonly role: string;
    readonly address: string;
    /** `unknown` if the role of this inspection may not see it. */
    readonly state: 'idle' | 'running' | 'unknown';
    readonly since?: number;
    /** The first word of its statement; empty if the database does not show it. */
    readonly command: string;
    readonly waitsFor: string;
    readonly tables: readonly string[];
    /** How many sessions wait for it. */
    readonly waiting: number;
  };
  lockOfPrepared: {
    readonly gid: string;
    readonly role: string;
    readonly since: number;
    readonly waiting: number;
  };
}

export interface LockAdviceValues {
  stopProcess: { readonly pid: number };
  findProcess: { readonly path: string };
  endSession: { readonly pid: number };
  /** The name of the transaction is in quotes. */
  decidePrepared: { readonly name: string };
}

/** The values in each sentence that the doctor's quick checks may say, by the key of the sentence. */
export interface FindingValues extends LockValues {
  locksUnknown: None;
  noLocks: None;
  lockedOut: { readonly checks: readonly UnmadeCheck[] };

  ownClock: None;
  clocksDiffer: { readonly seconds: number; readonly ahead: boolean; readonly secondsMax?: number };
  nodeClockDiffers: {
    readonly host: string;
    readonly pid: number;
    readonly seconds: number;
    readonly ahead: boolean;
    readonly agoSeconds: number;
    readonly secondsMax?: number;
  };
  changeInFuture: { readonly at: number };
  callInFuture: { readonly requestId: string; readonly at: number };
  writesRefused: { readonly until: number; readonly asAfterRestore: boolean; readonly readsToo: boolean };
  writesAccepted: { readonly until: number };

  diskUnseen: None;
  freeUnknown: { readonly folder: string; readonly reason: string };
  free: { readonly folder: string; readonly freeMebibytes: number; readonly usedMebibytes?: number };
  freeForBackups: {
    readonly folder: string;
    readonly freeMebibytes: number;
    readonly neededMebibytes?: number;
  };

  nothingWritten: { readonly folder: string; readonly reason: string };
  syncTakes: Times & { readonly folder: string };
  statementTakes: Times;

  tablesKnown: None;
  tablesNewer: { readonly migrations: string; readonly servable: boolean };
  tablesOlder: { readonly migrations: string };
  tablesClosed: { readonly examples: string };
  partsMissing: { readonly examples: string };
  orderNotKept: { readonly examples: string };
  engineSetting: { readonly name: string; readonly value: string };
  searchNotKept: { readonly examples: string };
  searchSlow: { readonly examples: string };

  noFileModes: None;
  fileOpen: { readonly path: string; readonly mode: string; readonly toEverybody: boolean };
  folderOpen: { readonly path: string; readonly mode: string };
  filesClosed: { readonly folder: string };
  noFolder: { readonly folder: string };

  keyOpens: { readonly values: number };
  keyFound: { readonly place: string };
  noKey: { readonly folder: string; readonly variable: string };
  keyUnusable: { readonly reason: string };
  noKeyFor: { readonly values: number };
  keyDoesNotOpen: { readonly values: number; readonly examples: string };
  rotationBegun: { readonly key: string };
  rotationNotFinished: { readonly key: string };
  processLacksKey: {
    readonly pid: number;
    readonly host: string;
    readonly held: string;
    readonly key: string;
  };

  settingsAgree: None;
  backupNeedsFolder: None;
  backupNeedsTime: None;
  samePort: { readonly first: string; readonly second: string; readonly port: number };
  serveRefuses: { readonly reason: string };
  variable: { readonly reason: string };
  flagWithoutDatabase: { readonly flag: string };
  sameReplica: None;
  batchLimitBelow: { readonly batch: number; readonly single: number };
  backupsBesideKey: None;
  databaseUnused: { readonly path: string };
  keyFileUnused: { readonly path: string; readonly variable: string };
  fewFiles: { readonly connections: number; readonly files: number };
  manyWorkers: { readonly workers: number; readonly cores: number };
  replayOff: None;
  longDrain: { readonly drain: number; readonly needed: number; readonly allowed: number };
  /** One process of each server. */
  separateServers: { readonly processes: readonly { readonly pid: number; readonly host: string }[] };
  manyConnections: {
    readonly workers: number;
    readonly pool: number;
    readonly wanted: number;
    readonly accepted: number;
  };

  noBackup: None;
  lastBackup: { readonly hours: number; readonly minutes: number; readonly file: string };
  backupFound: { readonly hours: number; readonly minutes: number; readonly file: string };
  backupUnsure: {
    readonly hours: number;
    readonly minutes: number;
    readonly file: string;
    readonly tenant: string;
    /** Unix milliseconds. */
    readonly createdAt: number;
  };
  backupInFuture: { readonly at: number; readonly file: string; readonly verified: boolean };
  backupUnread: { readonly file: string; readonly more: number };
  keyAmongBackups: { readonly file: string };
  backupFolder: { readonly folder: string; readonly reason: string };
  erasuresUnknown: { readonly reason: string };
  erasuresUnusable: { readonly reason: string };

  recordsInDatabase: None;
  recordsNotYet: { readonly file: string };
  recordsReadable: { readonly file: string };
  recordsUnread: { readonly file: string; readonly reason: string };
  recordsDamaged: { readonly file: string; readonly reason: string };

  orgsFormTrees: None;
  orgCycles: { readonly count: number; readonly examples: string };

  writesAudited: { readonly writes: number };
  writesNotAudited: { readonly count: number; readonly writes: number; readonly examples: string };

  unopened: { readonly reason: string };
  damaged: { readonly location: string; readonly reason: string };
  unmade: { readonly checks: readonly UnmadeCheck[] };
  checkFailed: { readonly reason: string };
}

/** The values in each advice of the doctor's quick checks. */
export interface AdviceValues extends LockAdviceValues {
  asServerUser: None;
  waitForLock: None;
  setClock: None;
  setNodeClock: { readonly host: string };
  setClockIfWrong: None;
  findServerWithClock: { readonly isDeleted: boolean };
  waitForWrites: None;
  waitBeforeRule: None;
  resetClaims: None;
  nameDataFolder: None;
  makeRoom: None;
  makeRoomForBackup: { readonly times: number };
  keepFewerBackups: None;
  freeDisk: None;
  ownFolder: None;
  mountForWriting: None;
  useLocalDisk: None;
  bringNearer: None;
  finishUpgrade: None;
  startNewer: None;
  migrate: None;
  openTables: None;
  restoreParts: { readonly engine: 'sqlite' | 'postgres' };
  makeAgain: None;
  setEngine: { readonly name: string; readonly wanted: string };
  addTrigrams: None;
  closeFile: { readonly path: string };
  closeFolder: { readonly path: string };
  restoreKeyUnlessNew: None;
  repairKey: None;
  restoreKey: { readonly variable: string };
  checkKeys: None;
  continueRotation: None;
  finishRotation: None;
  giveKey: None;
  setBackupFolder: None;
  setBackupTime: None;
  otherPort: None;
  correctVariable: None;
  setDatabase: { readonly flag: string };
  nameReplica: None;
  raiseBatchLimit: None;
  backUpElsewhere: None;
  moveDatabase: None;
  moveKey: None;
  moveKeyFromBackups: None;
  raiseFiles: None;
  lowerConnections: None;
  lowerWorkers: None;
  useWorkers: None;
  removeReplayOff: None;
  allowStop: { readonly needed: number };
  makeFirstBackup: None;
  makeBackup: None;
  backUpAfterClock: None;
  verifyBackup: { readonly file: string; readonly isOld: boolean };
  asBackupUser: None;
  asRoot: { readonly folder: string };
  nameBackupFolder: None;
  replaceErasures: { readonly file: string };
  readRecords: None;
  restartForRecords: None;
  breakCycle: None;
  keepForAudit: None;
  runAgain: None;
  nameDatabase: None;
  repairDamage: { readonly engine: 'sqlite' | 'postgres' };
  runAgainWhenReadable: None;
  lookAtOthers: None;
  correctSetting: None;
}

type Said<Values> = {
  [Key in keyof Values]: { readonly key: Key; readonly values: Values[Key] };
}[keyof Values];

/** The message of a finding as data, for other languages. */
export type SaidFinding = Said<FindingValues>;

/** The advice of a finding as data. */
export type SaidAdvice = Said<AdviceValues>;

/** A sentence for each key, in some language. */
export type Sentences<Values> = {
  readonly [Key in keyof Values]: (values: Values[Key]) => string;
};
