import type { Actor } from './actor.ts';

/** A person whose data was erased, by ids and a keyed hash only. */
export interface Erasure {
  readonly tenantId: bigint;
  readonly userId: bigint;
  /** Keyed hash of tenant and username; see `SecretVault.keyedHash`. Shows whether a given name was erased. */
  readonly usernameHash: string;
  readonly atMs: number;
}

export interface ErasedCounts {
  /** User rows removed; 0 for users that were deleted before. */
  readonly users: number;
  readonly bindings: number;
  /** Audit rows whose values were removed. The rows stay. */
  readonly auditRows: number;
  /** Failed calls whose texts were removed. */
  readonly failedCalls: number;
}

export interface NamedPerson {
  readonly tenantId: bigint;
  readonly username: string;
  /** Ids of former users of the name who were erased before. */
  readonly formerIds?: readonly bigint[];
}

/** Where an erasure left nothing behind. */
export interface ClearedRemnants {
  readonly freeSpaceOverwritten: boolean;
  readonly logEmptied: boolean;
}

/** Removes what the database knows about persons, for data-protection requests. */
export interface Erasures {
  /**
   * Returns the ids of users who have the name, or had it according to the audit trail.
   *
   * @throws {SchemaError} when a newer release has changed the tables, as `erase` does
   */
  findUsers(tenantId: bigint, username: string): Promise<bigint[]>;
  /**
   * Erases users who have or had a name. Removes audit values a few hundred rows at a time. One last transaction removes
   * the bindings, the user rows and the audit values by which a user is found, and records the erasure.
   *
   * @param person whose failed calls are erased too; the texts of the profile and of the audit trail help to find them
   */
  erase(erasures: readonly Erasure[], person: NamedPerson, actor?: Actor): Promise<ErasedCounts>;
  list(): Promise<Erasure[]>;
  /**
   * Removes what was erased from the search index, the free space of the files and the write-ahead log too, without
   * waiting long for other processes.
   *
   * @returns undefined if all that is out of reach, as on PostgreSQL
   */
  clearRemnants(): Promise<ClearedRemnants | undefined>;
  /**
   * Returns the paths of damaged files that were moved aside. They may still have texts of failed calls, and nothing can
   * be erased in them.
   */
  damagedFiles(): readonly string[];
}
