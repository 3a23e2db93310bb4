import type { StoreRow } from './directory-importer.ts';
import type { BoundedCount } from './directory-lists.ts';
import type { OrgRecord, RoleRecord, StoreRecord, UserStatus } from './records.ts';

/** The targets that users are bound to: the roles, organizations and stores of one tenant. */

interface Revised {
  /** Grows with every change. */
  readonly revision: bigint;
}

export type ManagedRole = RoleRecord & Revised;
export type ManagedOrg = OrgRecord & Revised;
export type ManagedStore = StoreRecord & Revised;

/** Fields of a role to set. An absent field stays, or is empty in a new role; the code `''` means no code. */
export type RoleFields = Partial<Required<Omit<RoleRecord, 'id'>>>;

/** Fields of an organization to set; a parent of 0 makes it a root. */
export type OrgFields = Partial<Required<Omit<OrgRecord, 'id'>>>;

export type StoreFields = Partial<Omit<StoreRecord, 'code'>>;

export interface TargetReader<Key, Target> {
  find(key: Key): Promise<Target | undefined>;
  /** Returns the entries after the key, or from the first one, in key order. */
  list(after: Key | undefined, limit: number): Promise<Target[]>;
  /** Counts the users bound to it, up to one more than `most`. */
  countUsers(key: Key, most: number): Promise<number>;
}

export interface TargetWriter<Key, Target, Fields> extends TargetReader<Key, Target> {
  /** Finds the target and blocks every other change to it until this write ends. */
  lock(key: Key): Promise<Target | undefined>;
  /**
   * Like `lock`, but for a removal: no user can be bound to the target until the transaction ends.
   *
   * @param withUsers also locks the users bound to it, whom the removal will unbind
   */
  lockToRemove(key: Key, withUsers: boolean): Promise<Target | undefined>;
  update(key: Key, fields: Fields): Promise<void>;
  /** Unbinds every user, which changes each of them; returns their ids. */
  unbindUsers(key: Key): Promise<bigint[]>;
  /** Requires that no user is still bound to it. */
  remove(key: Key): Promise<void>;
}

export interface RoleWriter extends TargetWriter<bigint, ManagedRole, RoleFields> {
  /** Picks an id if none is given. Returns the new role, or `undefined` when the id is taken. */
  insert(id: bigint | undefined, fields: RoleFields): Promise<ManagedRole | undefined>;
}

export interface OrgWriter extends TargetWriter<bigint, ManagedOrg, OrgFields> {
  /** Keeps other writes from changing the tree until this one ends. Must be called before the tree is read. */
  lockTree(): Promise<void>;
  /** Returns an organization and those above it, from the bottom up, at most so many. */
  listPath(id: bigint, most: number): Promise<bigint[]>;
  /** Counts the levels of an organization and everything below it, at most so many; 1 if nothing is below it. */
  countLevels(id: bigint, most: number): Promise<number>;
  /** Counts the organizations directly below it. */
  countChildren(id: bigint): Promise<number>;
  /** Like `RoleWriter.insert`. The caller has locked the tree and checked that the parent exists. */
  insert(id: bigint | undefined, fields: OrgFields): Promise<ManagedOrg | undefined>;
}

/** A user bound to a store, as listed for that store. */
export interface StoreUser {
  readonly id: bigint;
  readonly username: string;
  readonly realName: string;
  readonly phone: string;
  readonly status: UserStatus;
}

/** Filters for stores; all given filters must match. */
export interface StoreFilter {
  /** Part of the code, the name or the address, ignoring case. */
  readonly text?: string;
  /** Only stores that no user is bound to. */
  readonly isUnassigned?: boolean;
}

/** A store, with how many users are bound to it. */
export interface FoundStore extends StoreRecord {
  /** Not counted beyond `consoleLimits.representativesCountedMax`. */
  readonly representatives: number;
}

/** Some of the stores that a search finds, ordered by code. */
export interface FoundStores {
  readonly stores: readonly FoundStore[];
  /**
   * The code after which the search continues; `undefined` at the end. Even if no store was found, there may be more.
   */
  readonly next: string | undefined;
}

export interface StoreReader extends TargetReader<string, ManagedStore> {
  /** Returns the users bound to the store whose ids follow `after`, ordered by id. */
  listUsers(code: string, after: bigint | undefined, limit: number): Promise<StoreUser[]>;
  /** Looks at a limited number of the stores whose codes follow `after`, so that no search takes long. */
  search(filter: StoreFilter, after: string | undefined, limit: number): Promise<FoundStores>;
  /** Counts the stores that match. Stops after it has looked at some ten thousand. */
  count(filter: StoreFilter): Promise<BoundedCount>;
  /** Returns what `StoreWriter.upsert` would do now. */
  plan(rows: readonly StoreRow[]): Promise<StoreUpsert>;
}

/** Outcome for the stores of one request. */
export interface StoreUpsert {
  readonly created: readonly StoreRecord[];
  readonly updated: readonly { readonly before: StoreRecord; readonly after: StoreRecord }[];
  /** Number of stores that already had these values; they are not written. */
  readonly unchanged: number;
}

export interface StoreWriter extends StoreReader, TargetWriter<string, ManagedStore, StoreFields> {
  /** Returns the new store, or `undefined` when the code is taken. */
  insert(code: string, fields: StoreFields): Promise<ManagedStore | undefined>;
  /** Inserts or updates each store; codes must be unique. An absent address stays, or is empty in a new store. */
  upsert(rows: readonly StoreRow[]): Promise<StoreUpsert>;
}
