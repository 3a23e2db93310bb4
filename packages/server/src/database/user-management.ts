import type { UserChanges, UserRecord, UserStatus } from './records.ts';

/** A user with all that is bound to it. */
export interface UserState {
  readonly user: UserRecord;
  readonly roleId?: bigint;
  readonly orgId?: bigint;
  /** Ordered by code. */
  readonly storeCodes: readonly string[];
}

/** What the check of a password needs; nothing else ever reads the hash. */
export interface UserCredentials {
  readonly id: bigint;
  readonly status: UserStatus;
  /** Absent for a user without a password. */
  readonly passwordHash?: string;
}

/** What is to become of one user of many. */
export interface UserToSave {
  readonly username: string;
  /** The user as it was read; absent for one that is to be made. */
  readonly existing?: UserRecord;
  readonly fields: UserChanges;
  /** Role to bind, in place of any other. */
  readonly roleId?: bigint;
  readonly orgId?: bigint;
  readonly storesAdded: readonly string[];
  readonly storesRemoved: readonly string[];
}

/** Reads many users at once, and the hash that no other reader gives. */
export interface UserManagementReader {
  /** Those of the users that exist, by username. In a write, every other write is kept away from them. */
  readStates(usernames: readonly string[]): Promise<ReadonlyMap<string, UserState>>;
  findCredentials(username: string): Promise<UserCredentials | undefined>;
  /** Returns those of the ids that no role has. */
  listUnknownRoles(ids: readonly bigint[]): Promise<bigint[]>;
  /** Returns those of the ids that no organization has. */
  listUnknownOrgs(ids: readonly bigint[]): Promise<bigint[]>;
  /** Returns those of the ids that no user has. */
  listUnknownUsers(ids: readonly bigint[]): Promise<bigint[]>;
  /** Returns those of the codes that no store has. */
  listUnknownStores(codes: readonly string[]): Promise<string[]>;
}

export interface UserManagementWriter extends UserManagementReader {
  /**
   * Writes users of which `readStates` told, in a few statements; each counts as changed once.
   *
   * @returns the id of each, by username. One that was to be made is missing when another process made a user
   * of that name in the meantime; nothing was written of it.
   */
  saveUsers(users: readonly UserToSave[]): Promise<ReadonlyMap<string, bigint>>;
  /** Removes the user and every binding. The id is never given out again. */
  deleteUser(id: bigint): Promise<void>;
  setUserStatus(id: bigint, status: UserStatus): Promise<void>;
  /**
   * Replaces one hash by another of the same password, which is no change that a reader could see.
   *
   * @returns whether the user still had the old one
   */
  replacePasswordHash(id: bigint, from: string, to: string): Promise<boolean>;
}
