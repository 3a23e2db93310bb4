import type { UserChanges, UserRecord, UserStatus, UserToChange } from './records.ts';

/** A user with all its bindings. */
export interface UserState {
  readonly user: UserToChange;
  readonly roleId?: bigint;
  readonly orgId?: bigint;
  /** Ordered by code; empty if they were not read. */
  readonly storeCodes: readonly string[];
}

/** The data for checking a password; nothing else reads the hash. */
export interface UserCredentials {
  readonly id: bigint;
  readonly status: UserStatus;
  /** Absent for a user without a password. */
  readonly passwordHash?: string;
}

/** How to save one of many users. */
export interface UserToSave {
  readonly username: string;
  /** The user as read; absent for a user to create. */
  readonly existing?: UserRecord;
  readonly fields: UserChanges;
  /** Role to bind, replacing any other. */
  readonly roleId?: bigint;
  readonly orgId?: bigint;
  readonly storesAdded: readonly string[];
  readonly storesRemoved: readonly string[];
}

/** Reads many users at once. No other reader returns a password hash. */
export interface UserManagementReader {
  /**
   * Returns the users that exist, by username. Inside a write, also blocks other writes to them.
   *
   * @param withStores names the users whose stores are read; if absent, all of them
   */
  readStates(
    usernames: readonly string[],
    withStores?: ReadonlySet<string>,
  ): Promise<ReadonlyMap<string, UserState>>;
  /** Counts the stores of each user that exists, up to one more than `most`. */
  countStores(usernames: readonly string[], most: number): Promise<ReadonlyMap<string, number>>;
  findCredentials(username: string): Promise<UserCredentials | undefined>;
  /** Returns the ids that no role has. */
  listUnknownRoles(ids: readonly bigint[]): Promise<bigint[]>;
  /** Returns the ids that no organization has. */
  listUnknownOrgs(ids: readonly bigint[]): Promise<bigint[]>;
  /** Returns the ids that no user has. */
  listUnknownUsers(ids: readonly bigint[]): Promise<bigint[]>;
  /** Returns the codes that no store has, in the order given. */
  listUnknownStores(codes: readonly string[]): Promise<string[]>;
}

export interface UserManagementWriter extends UserManagementReader {
  /**
   * Saves users read by `readStates` in a few statements; each counts as one change.
   *
   * @returns the id of each, by username. A new user is missing, and was not written, if another process created a user
   * of that name in the meantime.
   */
  saveUsers(users: readonly UserToSave[]): Promise<ReadonlyMap<string, bigint>>;
  /** Removes the user and all its bindings. Its id is never reused. */
  deleteUser(id: bigint): Promise<void>;
  setUserStatus(id: bigint, status: UserStatus): Promise<void>;
  /**
   * Replaces a hash with another one of the same password. No reader can notice.
   *
   * @returns whether the user still had the old hash
   */
  replacePasswordHash(id: bigint, from: string, to: string): Promise<boolean>;
}
