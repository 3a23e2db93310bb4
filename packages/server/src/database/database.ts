import type { ReadinessCheck } from '../readiness/readiness-check.ts';
import type { ApplicationStore } from './applications.ts';
import type {
  ManagedOrg,
  ManagedRole,
  OrgWriter,
  RoleWriter,
  StoreReader,
  StoreWriter,
  TargetReader,
} from './binding-targets.ts';
import type { AcceptanceClaim, ClaimStore } from './claims.ts';
import type { DirectoryImporter } from './directory-importer.ts';
import type { DirectoryLists } from './directory-lists.ts';
import type { PasswordFailureStore } from './password-failures.ts';
import type { UserManagementReader, UserManagementWriter } from './user-management.ts';

export type * from './applications.ts';
export type * from './binding-targets.ts';
export * from './claims.ts';
export * from './directory-importer.ts';
export type * from './directory-lists.ts';
export type * from './password-failures.ts';
export type * from './user-management.ts';

/**
 * What the rest of the server knows of its database: facts in, facts out. The SQL behind it lives in the
 * folders beside this file; which engine serves is decided in `main` alone.
 */

export interface RoleRecord {
  readonly id: bigint;
  readonly name: string;
  readonly systemId: bigint;
  readonly position: number;
  readonly description: string;
  /** Absent when the role was imported without one. */
  readonly code?: string;
}

export interface OrgRecord {
  readonly id: bigint;
  readonly name: string;
  /** Absent at the root of the tree. */
  readonly parentId?: bigint;
}

export interface StoreRecord {
  readonly code: string;
  readonly name: string;
  readonly address: string;
}

/** The fields of a user that callers may set. An unset text is `''`, an unset gender is 0. */
export interface UserProfile {
  readonly realName: string;
  readonly nickname: string;
  readonly gender: number;
  readonly email: string;
  readonly phone: string;
  readonly department: string;
  readonly avatar: string;
  readonly uniqueCode: string;
  readonly extInfo: string;
}

/** Fields to change; an absent one stays as it is. */
export interface UserChanges extends Partial<UserProfile> {
  /** PHC string of the new password's hash. */
  readonly passwordHash?: string;
}

export type UserStatus = 'active' | 'disabled';

export interface UserRecord extends UserProfile {
  readonly id: bigint;
  readonly username: string;
  readonly status: UserStatus;
  /** Grows with every change of the user or of a binding. */
  readonly revision: bigint;
}

export interface UserWithBindings extends UserRecord {
  readonly role?: RoleRecord;
  readonly org?: OrgRecord;
}

/** One user, named by id or by username. */
export type UserKey = { readonly id: bigint } | { readonly username: string };

/** What a reader sees of one tenant's directory, and of no other's. */
export interface DirectoryReader {
  readonly lists: DirectoryLists;
  readonly users: UserManagementReader;
  findUser(key: UserKey): Promise<UserWithBindings | undefined>;
  userExists(id: bigint): Promise<boolean>;
  findRoleOfUser(userId: bigint): Promise<RoleRecord | undefined>;
  /** The stores bound to the user, ordered by code. */
  listStoresOfUser(userId: bigint): Promise<StoreRecord[]>;
  readonly roles: TargetReader<bigint, ManagedRole>;
  readonly orgs: TargetReader<bigint, ManagedOrg>;
  readonly stores: StoreReader;
}

/** What a write may do to one tenant's directory; everything happens in one transaction. */
export interface DirectoryWriter extends DirectoryReader {
  readonly users: UserManagementWriter;
  readonly roles: RoleWriter;
  readonly orgs: OrgWriter;
  readonly stores: StoreWriter;
  /**
   * Finds a user and keeps every other write away from it until this one ends, so that what was read here
   * is still true when it is written.
   */
  lockUser(key: UserKey): Promise<UserRecord | undefined>;
  /** Returns the new id, or `undefined` when the username is taken. */
  insertUser(username: string, fields: UserChanges): Promise<bigint | undefined>;
  updateUser(id: bigint, changes: UserChanges): Promise<void>;
  roleExists(id: bigint): Promise<boolean>;
  orgExists(id: bigint): Promise<boolean>;
  /** Returns the id of the role bound before, if any. */
  replaceUserRole(userId: bigint, roleId: bigint): Promise<bigint | undefined>;
  /** Returns whether there was such a binding. */
  deleteUserRole(userId: bigint, roleId: bigint): Promise<boolean>;
  /** Returns the id of the organization bound before, if any. */
  replaceUserOrg(userId: bigint, orgId: bigint): Promise<bigint | undefined>;
  /** Returns whether there was such a binding. */
  deleteUserOrg(userId: bigint, orgId: bigint): Promise<boolean>;
  /** Returns those of the codes that no store has, in the order given. */
  listUnknownStoreCodes(codes: readonly string[]): Promise<string[]>;
  /** Returns whether the binding is new. */
  insertUserStore(userId: bigint, storeCode: string): Promise<boolean>;
  /** Returns whether there was such a binding. */
  deleteUserStore(userId: bigint, storeCode: string): Promise<boolean>;
  /** Makes exactly these codes the user's stores, and tells what that changed. */
  replaceUserStores(userId: bigint, codes: readonly string[]): Promise<StoreBindingDifference>;
}

export interface StoreBindingDifference {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** Who did a write, and what it did; recorded in the write's own transaction. */
export interface AuditEvent {
  /** The application that signed the request; absent for the operator's commands. */
  readonly appId?: string;
  readonly requestId?: string;
  /** Name of the operation, or of the operator's command. */
  readonly operation: string;
  readonly userId?: bigint;
  /** What changed, ready for JSON. Never a password, a hash or a secret. */
  readonly changes: Readonly<Record<string, unknown>>;
}

/** The store cannot take the work now; nothing of it happened, and it may be sent again. */
export class StoreBusyError extends Error {
  override readonly name = 'StoreBusyError';
}

/**
 * The reply to a commit was lost, and the database did not tell in time whether it had been committed. It happened as
 * a whole or not at all.
 */
export class OutcomeUnknownError extends Error {
  override readonly name: string = 'OutcomeUnknownError';
  /** Whether it made a claim, so that the same signed request may be sent again without taking effect twice. */
  readonly claimed: boolean;

  constructor(claimed: boolean, options?: ErrorOptions) {
    super('the reply to the commit was lost, and whether it took effect is not known', options);
    this.claimed = claimed;
  }
}

export interface WriteResult<T> {
  readonly result: T;
  readonly audit: AuditEvent;
  /** What it did to others by the way, each for a row of its own, after the first. */
  readonly more?: readonly AuditEvent[];
}

/** To be compared with others of the same store, and nothing else. */
export type DataVersion = bigint | string;

export interface Store {
  readonly applications: ApplicationStore;
  readonly importer: DirectoryImporter;
  readonly claims: ClaimStore;
  readonly passwordFailures: PasswordFailureStore;
  /** One tenant's directory, for reading. */
  directory(tenantId: bigint): DirectoryReader;
  /** What is another value after every commit, by whatever process, and takes no look at the data. */
  dataVersion(): Promise<DataVersion>;
  /**
   * Runs `work` in one transaction with its claim and its audit row, and returns once all three are on
   * disk. If `work` throws, nothing is kept, the claim included. `work` awaits nothing but the directory and,
   * where there is much to do, turns of the event loop: other writes may have to wait for its end.
   *
   * @throws {AlreadyAcceptedError} when the claim was made by a transaction that was committed
   * @throws {ClaimsPurgedError} when nobody can know any more whether it was
   * @throws {StoreBusyError} when the engine takes no more work, or lost its database; nothing happened
   * @throws {OutcomeUnknownError} when the database was lost during the commit, and did not tell in time
   */
  write<T>(
    tenantId: bigint,
    claim: AcceptanceClaim | undefined,
    work: (directory: DirectoryWriter) => Promise<WriteResult<T>>,
  ): Promise<T>;
  /** Rejects when the database does not answer. */
  ping(): Promise<void>;
  /** What must hold of the database, and of this node's way to it, for requests to be answered. */
  readinessChecks(): readonly ReadinessCheck[];
  close(): Promise<void>;
}
