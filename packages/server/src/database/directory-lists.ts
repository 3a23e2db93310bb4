import type { UserStatus, UserWithBindings } from './records.ts';

/** What users are listed by; every filter that is given must apply. */
export interface UserFilters {
  /** Part of the username, name, nickname, phone, email or unique code, whatever the case of its letters. */
  readonly search?: string;
  readonly roleId?: bigint;
  readonly org?: { readonly id: bigint; readonly includeChildren: boolean };
  readonly storeCode?: string;
  readonly department?: string;
  readonly unbound?: 'role' | 'org' | 'store';
  readonly status?: UserStatus;
  readonly updatedSinceMs?: bigint;
}

/** Where an entry stands in its list. */
export interface ListPosition {
  /** The moment that the list is ordered by; 0 in a list that is ordered by id alone. */
  readonly at: bigint;
  readonly id: bigint;
}

export interface PageRequest {
  /** The place that the page before ended at; left out for the first page. */
  readonly after: ListPosition | undefined;
  /** Entries at most. */
  readonly limit: number;
}

/**
 * Entries in their order. A page may have fewer than were asked for while more follow, so that no request
 * looks at more rows than a fixed number, however few of them the filters let through.
 */
export interface Page<Entry> {
  readonly entries: readonly Entry[];
  /** Where the list goes on; absent exactly when nothing follows. */
  readonly next?: ListPosition;
}

export interface UserListRequest extends PageRequest {
  readonly filters: UserFilters;
  /** By id, or by the moment of the last change and then by id. */
  readonly order: 'id' | 'change';
}

export interface ListedUser extends UserWithBindings {
  readonly createdAtMs: bigint;
  readonly updatedAtMs: bigint;
}

/** Which audit rows to list; every one that is given must apply. */
export interface AuditFilters {
  readonly userId?: bigint;
  readonly appId?: string;
  readonly operation?: string;
  readonly sinceMs?: bigint;
  /** The moment itself is no longer part of it. */
  readonly untilMs?: bigint;
}

export interface AuditListRequest extends PageRequest {
  readonly filters: AuditFilters;
}

/** An audit row as it is read back. */
export interface AuditEntry {
  readonly id: bigint;
  readonly atMs: bigint;
  readonly appId?: string;
  readonly requestId?: string;
  readonly operation: string;
  readonly userId?: bigint;
  /** Ready for `JSON.stringify`, which writes every integer with all its digits. */
  readonly changes: Readonly<Record<string, unknown>>;
}

/** One tenant's lists. What a request costs does not grow with the number of users or audit rows. */
export interface DirectoryLists {
  listUsers(request: UserListRequest): Promise<Page<ListedUser>>;
  /** Newest first. */
  listAuditEvents(request: AuditListRequest): Promise<Page<AuditEntry>>;
}
