import type { Actor } from './actor.ts';
import type { BindingTarget, UserStatus, UserWithBindings } from './records.ts';

/** Filters for a list of users; all given filters must match. */
export interface UserFilters {
  /** Part of the username, name, nickname, phone, email or unique code; case-insensitive. */
  readonly search?: string;
  readonly roleId?: bigint;
  readonly org?: { readonly id: bigint; readonly includeChildren: boolean };
  readonly storeCode?: string;
  readonly department?: string;
  readonly unbound?: BindingTarget;
  readonly status?: UserStatus;
  readonly updatedSinceMs?: bigint;
}

/** Position of an entry in its list. */
export interface ListPosition {
  /** The time that the list is ordered by; 0 in a list ordered by id alone. */
  readonly at: bigint;
  readonly id: bigint;
}

export interface PageRequest {
  /** The position at which the previous page ended; `undefined` for the first page. */
  readonly after: ListPosition | undefined;
  /** Maximum number of entries. */
  readonly limit: number;
}

/**
 * Entries in list order. A page may have fewer entries than requested while more follow: a request examines a fixed
 * number of rows at most, however few of them match the filters, and reads a limited number of bytes.
 */
export interface Page<Entry> {
  readonly entries: readonly Entry[];
  /** The position at which the list continues; absent exactly when nothing follows. */
  readonly next?: ListPosition;
}

export interface UserListRequest extends PageRequest {
  readonly filters: UserFilters;
  /** By id, or by the time of the last change and then by id. */
  readonly order: 'id' | 'change';
}

export interface ListedUser extends UserWithBindings {
  readonly createdAtMs: bigint;
  readonly updatedAtMs: bigint;
}

/** Filters for audit rows; all given filters must match. */
export interface AuditFilters {
  readonly userId?: bigint;
  readonly appId?: string;
  readonly operatorId?: bigint;
  /** Rows of the change to which the operator's page gave this id; needs `operatorId`. */
  readonly changeId?: string;
  readonly operation?: string;
  /** Rows that mention this text as a whole JSON string, such as a store's code. */
  readonly mentioned?: string;
  readonly sinceMs?: bigint;
  /** Exclusive. */
  readonly untilMs?: bigint;
}

export interface AuditListRequest extends PageRequest {
  readonly filters: AuditFilters;
}

/** A page ends early when its changes reach a fixed size. */
export interface AuditPage extends Page<AuditEntry> {
  /** Size of the changes on the page, as JSON. */
  readonly bytes: number;
}

/** An audit row as read back. */
export interface AuditEntry {
  readonly id: bigint;
  readonly atMs: bigint;
  readonly appId?: string;
  readonly requestId?: string;
  readonly operation: string;
  readonly userId?: bigint;
  /** Ready for `JSON.stringify`, which writes every integer with all its digits. */
  readonly changes: Readonly<Record<string, unknown>>;
  /** Absent for a signed request. For operators only: no answer to an application may hold it. */
  readonly actor?: Actor;
}

/** How people know a user. */
export interface UserName {
  readonly username: string;
  readonly realName: string;
}

/** How many entries a part of a directory has. */
export interface UserRangeCounts {
  readonly users: number;
  /** Bindings of these users to roles, organizations and stores. */
  readonly bindings: number;
  /** Where the next part begins; absent when no user follows. */
  readonly next?: bigint;
}

/** A count that stops when it has cost enough. */
export interface BoundedCount {
  readonly count: number;
  /** Whether there may be more than were counted. */
  readonly isMore: boolean;
}

/** How many stores a part of a directory has. */
export interface StoreRangeCounts {
  readonly stores: number;
  /** Where the next part begins; absent when no store follows. */
  readonly next?: string;
}

/** One tenant's lists. The cost of a request does not grow with the number of users or audit rows. */
export interface DirectoryLists {
  listUsers(request: UserListRequest): Promise<Page<ListedUser>>;
  /** Counts the users that match. Stops when that has cost enough. */
  countListed(filters: UserFilters): Promise<BoundedCount>;
  /** Counts the stores of each user, up to one more than `most`. Those of a user without a store are absent. */
  countStoresOf(userIds: readonly bigint[], most: number): Promise<ReadonlyMap<bigint, number>>;
  /** Counts the next few thousand users after an id, and their bindings. */
  countUsers(after: bigint): Promise<UserRangeCounts>;
  /** Counts the next few thousand stores after a code. */
  countStores(after: string): Promise<StoreRangeCounts>;
  /** Newest first. */
  listAuditEvents(request: AuditListRequest): Promise<AuditPage>;
  /**
   * Returns the audit row of the deletion of each user that was deleted, in no order. Leaves out the largest if they
   * would take too much memory.
   */
  listDeletions(userIds: readonly bigint[]): Promise<readonly AuditEntry[]>;
  /** Names users by their ids; those that do not exist are left out. */
  nameUsers(ids: readonly bigint[]): Promise<ReadonlyMap<bigint, UserName>>;
}
