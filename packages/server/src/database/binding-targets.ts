import type { StoreRow } from './directory-importer.ts';
import type { OrgRecord, RoleRecord, StoreRecord, UserStatus } from './records.ts';

/** What users are bound to: the roles, organizations and stores of one tenant. */

interface Revised {
  /** Grows with every change. */
  readonly revision: bigint;
}

export type ManagedRole = RoleRecord & Revised;
export type ManagedOrg = OrgRecord & Revised;
export type ManagedStore = StoreRecord & Revised;

/** Fields of a role to set. An absent one stays, or is empty in a new role; a code of `''` is none. */
export type RoleFields = Partial<Required<Omit<RoleRecord, 'id'>>>;

/** Fields of an organization to set; a parent of 0 makes it a root. */
export type OrgFields = Partial<Required<Omit<OrgRecord, 'id'>>>;

export type StoreFields = Partial<Omit<StoreRecord, 'code'>>;

export interface TargetReader<Key, Target> {
  find(key: Key): Promise<Target | undefined>;
  /** Those after the key, or from the first one, in the order of their keys. */
  list(after: Key | undefined, limit: number): Promise<Target[]>;
}

export interface TargetWriter<Key, Target, Fields> extends TargetReader<Key, Target> {
  /** Finds it and keeps every other change of it away until this write ends. */
  lock(key: Key): Promise<Target | undefined>;
  /**
   * The same against a removal: nobody is bound to it meanwhile either.
   *
   * @param withUsers locks the users bound to it as well, whom the removal is going to unbind
   */
  lockToRemove(key: Key, withUsers: boolean): Promise<Target | undefined>;
  update(key: Key, fields: Fields): Promise<void>;
  countUsers(key: Key): Promise<number>;
  /** Unbinds everyone, which is a change of each user; returns their ids. */
  unbindUsers(key: Key): Promise<bigint[]>;
  /** To be called once no user is bound to it. */
  remove(key: Key): Promise<void>;
}

export interface RoleWriter extends TargetWriter<bigint, ManagedRole, RoleFields> {
  /** Without an id it is given one. Returns the new role, or `undefined` when the id is taken. */
  insert(id: bigint | undefined, fields: RoleFields): Promise<ManagedRole | undefined>;
}

export interface OrgWriter extends TargetWriter<bigint, ManagedOrg, OrgFields> {
  /** Lets no other write change the tree until this one ends. To be called before the tree is looked at. */
  lockTree(): Promise<void>;
  /** Whether an organization is `top`, or somewhere below it. */
  isWithin(id: bigint, top: bigint): Promise<boolean>;
  /** Counts the organizations directly below it. */
  countChildren(id: bigint): Promise<number>;
  /** As for a role. The caller has locked the tree, and made sure that the parent exists. */
  insert(id: bigint | undefined, fields: OrgFields): Promise<ManagedOrg | undefined>;
}

/** A user in the list of those who look after a store. */
export interface StoreUser {
  readonly id: bigint;
  readonly username: string;
  readonly realName: string;
  readonly phone: string;
  readonly status: UserStatus;
}

export interface StoreReader extends TargetReader<string, ManagedStore> {
  /** The users bound to the store after this one, ordered by id. */
  listUsers(code: string, after: bigint | undefined, limit: number): Promise<StoreUser[]>;
}

/** What became of the stores of one request. */
export interface StoreUpsert {
  readonly created: readonly StoreRecord[];
  readonly updated: readonly { readonly before: StoreRecord; readonly after: StoreRecord }[];
  /** Stores that were so already; they are not written. */
  readonly unchanged: number;
}

export interface StoreWriter extends StoreReader, TargetWriter<string, ManagedStore, StoreFields> {
  /** Returns the new store, or `undefined` when the code is taken. */
  insert(code: string, fields: StoreFields): Promise<ManagedStore | undefined>;
  /** Inserts or updates each store; no code may come twice. An absent address stays, or is empty. */
  upsert(rows: readonly StoreRow[]): Promise<StoreUpsert>;
}
