import type { LockAdviceValues, LockValues } from '@fieldroster/contract/console';
import type { GoodBackup } from './backups.ts';
import type { Keys, ProcessClock } from './keys.ts';
import type { TenantRecord } from './tenants.ts';

/** Rows that something is wrong with, or other faults. */
export interface Faults {
  /** Number of faults, at most `faultsCountedMax`. */
  readonly count: number;
  /** Descriptions of the first few faults. */
  readonly examples: readonly string[];
}

/** Rows that refer to missing rows. */
export interface Orphans extends Faults {
  /** Which table refers to which. */
  readonly reference: string;
  /** True for rows that only record something: nothing fails because of them. */
  readonly isRecord: boolean;
}

/** No more faults of one kind are counted: a thousand say as much as a million. */
export const faultsCountedMax = 1_000;

/**
 * A process or session that has locks. The texts contain no values of statements,
 * and no argument of a program but the name of a file.
 */
export interface LockHolder {
  /** Its id and its name. */
  readonly who: string;
  /** Its work, since when, and what it waits for, as the end of a sentence. */
  readonly doing: string;
  /** Who waits for it; absent if nobody has waited long yet. */
  readonly holdsUp?: string;
  /** Advice about it, with the command that ends it. */
  readonly advice: string;
  /** The texts above as data, from which the console makes sentences in other languages. */
  readonly said: OneOf<LockValues>;
  readonly advised: OneOf<LockAdviceValues>;
}

type OneOf<Values> = {
  [Key in keyof Values]: { readonly key: Key; readonly values: Values[Key] };
}[keyof Values];

/** The database's own settings that promises to callers depend on. */
export interface EngineSetting {
  readonly name: string;
  readonly value: string;
  /** The value without which an acknowledged write can be lost. */
  readonly wanted: string;
}

/** A fault of the file of the bookkeeping. */
export interface BookkeepingFault {
  readonly file: string;
  /** False before the first start of a server, which makes the file. */
  readonly exists: boolean;
  /** The fault, such as "is damaged (file is not a database)"; `undefined` if nothing is wrong. */
  readonly said: string | undefined;
  /** The meaning of the fault: the content is lost, or it is there and cannot be read now. Absent without a fault. */
  readonly kind?: 'damaged' | 'full' | 'unreadable';
}

/** Sets of migrations that do not match this release. */
export interface SchemaState {
  readonly pending: readonly string[];
  readonly newer: readonly string[];
  /** False if a newer release has changed the tables so that this one cannot serve them. */
  readonly servable: boolean;
}

/**
 * Reads a database to find faults in it, and changes nothing.
 * It works beside running servers: no statement locks a row, only `findLockHolders` takes the write lock of SQLite,
 * for an instant, and large tables are read in pages, each a statement of its own.
 */
export interface Inspection {
  readonly engine: 'sqlite' | 'postgres';
  /** The location of the database, for operators; without a password. */
  readonly location: string;
  readonly keys: Pick<Keys, 'stored' | 'listSealed' | 'holders'>;
  /** Reads the database's clock, in Unix milliseconds; `undefined` if that is this process's clock. */
  databaseTimeMs(): Promise<number | undefined>;
  /**
   * Measures how far this process's clock is ahead of the database's, in milliseconds, negative when it is behind;
   * `undefined` if they are one clock.
   */
  clockDifferenceMs(): Promise<number | undefined>;
  /** Returns what the processes of servers have reported about their clocks; nothing where all have this one. */
  processClocks(): Promise<readonly ProcessClock[]>;
  /** The time of the newest audit row, in Unix milliseconds. */
  newestChangeMs(): Promise<number | undefined>;
  /**
   * Returns the failed call with the latest time, which is by the clock of the server that answered it; `undefined` if
   * there is none, or if all servers have this process's clock.
   */
  newestFailedCall(): Promise<{ readonly requestId: string; readonly atMs: number } | undefined>;
  /** The latest expiry of any purged claim, in Unix seconds; 0 if none was purged. */
  purgedThroughSeconds(): Promise<number>;
  /** Returns the last backup that was read back and found good. */
  lastGoodBackup(): Promise<GoodBackup | undefined>;
  /** Returns the tenant that the first start made, which only copies and backups of this database share with it. */
  firstTenant(): Promise<TenantRecord | undefined>;
  /**
   * Finds the processes and sessions that have kept writes waiting, or have kept locks, for longer than `longMs`. On
   * SQLite it waits that long.
   *
   * @returns `undefined` if this user may not look
   */
  findLockHolders(longMs: number): Promise<readonly LockHolder[] | undefined>;
  schema(): Promise<SchemaState>;
  engineSettings(): Promise<readonly EngineSetting[]>;
  /** Returns whether an application has a rate limit of its own. */
  limitsApplications(): Promise<boolean>;
  /** Number of connections that the database accepts; absent if it sets no limit. */
  connectionsMax(): Promise<number | undefined>;
  /** Finds damage in the stored pages and indexes. Slow: reads the whole database. */
  findDamage(): Promise<Faults>;
  /**
   * Finds a fault of the file that records what the server does, which a server replaces if it is damaged; `undefined`
   * where the records are in the database itself.
   *
   * @param deep reads every page; otherwise only the first ones
   */
  findBookkeepingFault(deep: boolean): Promise<BookkeepingFault | undefined>;
  /** Finds references that the engine knows to be broken or has not checked. Slow on SQLite. */
  findBrokenForeignKeys(): Promise<Faults>;
  /** Finds rows that refer to missing rows, by reference. Slow: reads every binding. */
  findOrphans(): Promise<readonly Orphans[]>;
  /** Finds tables and indexes of this release that are missing, apart from those of the search. */
  findMissingParts(): Promise<Faults>;
  /** Finds missing parts of the search index, and triggers that should keep it up to date but do not. */
  findSearchFaults(): Promise<Faults>;
  /** Compares the search index with the users. Slow: reads every user. */
  findSearchDifferences(): Promise<Faults>;
  /** Finds triggers that should keep the order of changes but do not. */
  findSilentTriggers(): Promise<Faults>;
  /** Finds tables that this user may not read or change, or of which it sees only some rows. */
  findClosedTables(): Promise<Faults>;
  /** Compares the order of changes with the users. Slow: reads every user. */
  findChangeOrderFaults(): Promise<Faults>;
  /** Finds organizations in a cycle, and those below them. */
  findOrgCycles(): Promise<Faults>;
  /** Finds accepted writes without an audit row. Covers the minutes for which claims are kept. */
  findClaimsWithoutAudit(): Promise<Faults & { readonly claims: number }>;
  /**
   * Returns what an error of another method says about the stored data, such as "is damaged (file is not a database)";
   * `undefined` if it says nothing about damage or loss.
   */
  damageIn(error: unknown): string | undefined;
  /** Whether another method failed because it waited too long for a lock. */
  isLockedOut(error: unknown): boolean;
  close(): Promise<void>;
}
