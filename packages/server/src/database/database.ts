import type { MetricSource } from '../metrics/metric-source.ts';
import type { ReadinessCheck } from '../readiness/readiness-check.ts';
import type { Deadline } from '../time/deadline.ts';
import type { Actor } from './actor.ts';
import type { Applications } from './applications.ts';
import type { AuditRetention } from './audit-retention.ts';
import type { Backups } from './backups.ts';
import type {
  ManagedOrg,
  ManagedRole,
  OrgWriter,
  RoleWriter,
  StoreReader,
  StoreWriter,
  TargetReader,
} from './binding-targets.ts';
import type { Bookkeeping } from './bookkeeping.ts';
import type { AcceptanceClaim, Claims } from './claims.ts';
import type { DirectoryImporter } from './directory-importer.ts';
import type { DirectoryLists } from './directory-lists.ts';
import type { Erasures } from './erasures.ts';
import type { Keys } from './keys.ts';
import type { Operators } from './operators.ts';
import type { RateReportBoard } from './rate-reports.ts';
import type {
  ReplaceableBinding,
  RoleRecord,
  StoreBinding,
  StoreBindingDifference,
  StoreRecord,
  StoresInSlices,
  UserChanges,
  UserKey,
  UserToChange,
  UserWithBindings,
} from './records.ts';
import type { StoredSettings } from './stored-settings.ts';
import type { Tenants } from './tenants.ts';
import type { UserManagementReader, UserManagementWriter } from './user-management.ts';

export * from './actor.ts';
export * from './applications.ts';
export type * from './audit-retention.ts';
export type * from './backups.ts';
export type * from './binding-targets.ts';
export type * from './bookkeeping.ts';
export * from './call-records.ts';
export * from './claims.ts';
export * from './directory-importer.ts';
export type * from './directory-lists.ts';
export type * from './entry-counts.ts';
export type * from './erasures.ts';
export * from './inspection.ts';
export * from './keys.ts';
export type * from './operators.ts';
export * from './outcome-unknown-error.ts';
export type * from './password-failures.ts';
export type * from './rate-reports.ts';
export type * from './records.ts';
export type * from './stored-settings.ts';
export type * from './tenants.ts';
export type * from './user-management.ts';

// This is all that the rest of the server sees of its database. The SQL lives in the folders beside this file;
// admin/open-directory.ts chooses the engine.

/** Reads one tenant's directory, and no other tenant's. */
export interface DirectoryReader {
  readonly lists: DirectoryLists;
  readonly users: UserManagementReader;
  findUser(key: UserKey): Promise<UserWithBindings | undefined>;
  userExists(id: bigint): Promise<boolean>;
  findRoleOfUser(userId: bigint): Promise<RoleRecord | undefined>;
  /** Returns the stores bound to the user, ordered by code, or `undefined` if they are too many for one statement. */
  listFewStoresOfUser(userId: bigint): Promise<StoreRecord[] | undefined>;
  /**
   * Reads the stores bound to the user a slice at a time, ordered by code. The bindings are those of one moment; the
   * name and the address of a store may be slightly newer.
   */
  openStoresOfUser(userId: bigint): Promise<StoresInSlices>;
  readonly roles: TargetReader<bigint, ManagedRole>;
  readonly orgs: TargetReader<bigint, ManagedOrg>;
  readonly stores: StoreReader;
}

/** Changes one tenant's directory, in one transaction. */
export interface DirectoryWriter extends DirectoryReader {
  readonly users: UserManagementWriter;
  readonly roles: RoleWriter;
  readonly orgs: OrgWriter;
  readonly stores: StoreWriter;
  /**
   * Finds a user and blocks all other writes to it until this one ends, so that what was read still holds when it is
   * written.
   */
  lockUser(key: UserKey): Promise<UserToChange | undefined>;
  /** Returns the new id, or `undefined` when the username is taken. */
  insertUser(username: string, fields: UserChanges): Promise<bigint | undefined>;
  updateUser(id: bigint, changes: UserChanges): Promise<void>;
  // A binding is read and then changed while the user is locked. Its change is not answered before the commit.
  readRoleBinding(userId: bigint, roleId: bigint): Promise<ReplaceableBinding>;
  /** Binds a locked user to a role other than its current one. */
  replaceUserRole(userId: bigint, roleId: bigint): Promise<void>;
  /** Unbinds a locked user from its role. */
  deleteUserRole(userId: bigint): Promise<void>;
  readOrgBinding(userId: bigint, orgId: bigint): Promise<ReplaceableBinding>;
  /** Binds a locked user to an organization other than its current one. */
  replaceUserOrg(userId: bigint, orgId: bigint): Promise<void>;
  /** Unbinds a locked user from its organization. */
  deleteUserOrg(userId: bigint): Promise<void>;
  readStoreBinding(userId: bigint, storeCode: string): Promise<StoreBinding>;
  /** Binds a locked user to a store to which it is not bound. */
  insertUserStore(userId: bigint, storeCode: string): Promise<void>;
  /** Unbinds a locked user from a store to which it is bound. */
  deleteUserStore(userId: bigint, storeCode: string): Promise<void>;
  /** Makes exactly these codes the user's stores; returns the difference. */
  replaceUserStores(userId: bigint, codes: readonly string[]): Promise<StoreBindingDifference>;
}

/** Who made a write, and what it did; recorded in the same transaction. */
export interface AuditEvent {
  /** The application that signed the request; absent for an operator's command. */
  readonly appId?: string;
  /** Who made the change in place of an application. */
  readonly actor?: Actor;
  readonly requestId?: string;
  /** Name of the operation, or of the operator's command. */
  readonly operation: string;
  readonly userId?: bigint;
  /** The changes, as a JSON-serializable value. Never contains a password, a hash or a secret. */
  readonly changes: Readonly<Record<string, unknown>>;
}

export interface WriteResult<T> {
  readonly result: T;
  readonly audit: AuditEvent;
  /** Side effects on other users, recorded as further audit rows after the first. */
  readonly more?: readonly AuditEvent[];
}

/** Version of the data; only comparable with other versions of the same database. */
export type DataVersion = bigint | string;

export interface Database {
  readonly applications: Applications;
  readonly tenants: Tenants;
  readonly importer: DirectoryImporter;
  readonly claims: Claims;
  readonly operators: Operators;
  readonly bookkeeping: Bookkeeping;
  readonly auditRetention: AuditRetention;
  readonly backups: Backups;
  readonly erasures: Erasures;
  readonly keys: Keys;
  readonly storedSettings: StoredSettings;
  /** Absent on an engine that serves only one node. */
  readonly rateReports?: RateReportBoard;
  /** Number of lists worth reading at once; absent if connections bound it. */
  readonly listsAtOnce?: number;
  /** Returns a reader for one tenant's directory. */
  directory(tenantId: bigint): DirectoryReader;
  /**
   * Changes after every commit by any process. Does not read the data.
   *
   * @param deadline bounds the wait; by default, the current one. Passing it costs less than running a call under it.
   */
  dataVersion(deadline?: Deadline): Promise<DataVersion>;
  /**
   * Runs `work` in one transaction with its claim and audit row, and returns once all three are on disk. If `work`
   * throws, nothing is kept, including the claim. `work` must await only the directory and, for long work, iterations of the
   * event loop, because other writes may have to wait for it.
   *
   * @throws {AlreadyAcceptedError} when a committed transaction made the claim
   * @throws {ClaimsPurgedError} when it can no longer be known whether one did
   * @throws {BusyError} when the engine accepts no more work, or lost its database; this call changed nothing
   * @throws {OutcomeUnknownError} when the database was lost during the commit, and did not report the outcome in time
   */
  write<T>(
    tenantId: bigint,
    claim: AcceptanceClaim | undefined,
    work: (directory: DirectoryWriter) => Promise<WriteResult<T>>,
  ): Promise<T>;
  /** Whether so many writes of the application wait that `write` would refuse another one at once. */
  refusesWritesOf(appId: string): boolean;
  /** Rejects when the database does not answer. */
  ping(): Promise<void>;
  /** Checks of the database, and of this node's connection to it, that must pass before requests are answered. */
  readinessChecks(): readonly ReadinessCheck[];
  /** Metrics of the database, and of this process's work on it. */
  metricSources(): readonly MetricSource[];
  close(): Promise<void>;
}
