import type { ReadinessCheck } from '../readiness/readiness-check.ts';
import type { Applications } from './applications.ts';
import type {
  ManagedOrg,
  ManagedRole,
  OrgWriter,
  RoleWriter,
  StoreReader,
  StoreWriter,
  TargetReader,
} from './binding-targets.ts';
import type { AcceptanceClaim, Claims } from './claims.ts';
import type { DirectoryImporter } from './directory-importer.ts';
import type { DirectoryLists } from './directory-lists.ts';
import type { PasswordFailures } from './password-failures.ts';
import type {
  RoleRecord,
  StoreBindingDifference,
  StoreRecord,
  UserChanges,
  UserKey,
  UserRecord,
  UserWithBindings,
} from './records.ts';
import type { UserManagementReader, UserManagementWriter } from './user-management.ts';

export type * from './applications.ts';
export type * from './binding-targets.ts';
export * from './claims.ts';
export * from './directory-importer.ts';
export type * from './directory-lists.ts';
export * from './errors.ts';
export type * from './password-failures.ts';
export type * from './records.ts';
export type * from './user-management.ts';

/**
 * What the rest of the server knows of its database: facts in, facts out. The SQL behind it lives in the
 * folders beside this file; which engine serves is decided in `main` alone.
 */

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

export interface WriteResult<T> {
  readonly result: T;
  readonly audit: AuditEvent;
  /** What it did to others by the way, each for a row of its own, after the first. */
  readonly more?: readonly AuditEvent[];
}

/** To be compared with others of the same database, and nothing else. */
export type DataVersion = bigint | string;

export interface Database {
  readonly applications: Applications;
  readonly importer: DirectoryImporter;
  readonly claims: Claims;
  readonly passwordFailures: PasswordFailures;
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
   * @throws {DatabaseBusyError} when the engine takes no more work, or lost its database; nothing happened
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
