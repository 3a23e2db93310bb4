import type { CommandActor } from './actor.ts';
import type { AcceptanceClaim } from './claims.ts';

/** The roles of operators; each includes those before it. */
export type OperatorRole = 'viewer' | 'manager' | 'owner';

/** A role, and the tenants that it holds for. */
export interface OperatorAccess {
  readonly role: OperatorRole;
  readonly allTenants: boolean;
  /** Empty when `allTenants` is true. */
  readonly tenantIds: readonly bigint[];
}

export interface OperatorRecord extends OperatorAccess {
  readonly id: bigint;
  readonly username: string;
  readonly passwordHash: string;
  readonly status: 'active' | 'disabled';
  /** The TOTP secret, encrypted by the secret vault; absent without a second factor. */
  readonly totpSealed?: Uint8Array;
  /** A secret whose first code has not been confirmed yet. */
  readonly totpPending?: Uint8Array;
  /** The time step of the last accepted code, which no second sign-in may use. */
  readonly totpStep: bigint;
  /** SHA-256 of the unused recovery codes, in hexadecimal. */
  readonly recoveryHashes: readonly string[];
  /** Sessions begun before this time have ended, in Unix milliseconds. */
  readonly sessionsFromMs: number;
  readonly createdAtMs: number;
}

/** The fields of an operator that may change. `null` removes a secret. */
export interface OperatorChanges extends Partial<OperatorAccess> {
  readonly passwordHash?: string;
  readonly status?: 'active' | 'disabled';
  readonly totpSealed?: Uint8Array | null;
  readonly totpPending?: Uint8Array | null;
  readonly totpStep?: bigint;
  readonly recoveryHashes?: readonly string[];
  readonly sessionsFromMs?: number;
}

/** A link that works once. Only the hash of its token is stored. */
export interface OperatorLink extends OperatorAccess {
  /** SHA-256 of the token, in hexadecimal. */
  readonly tokenHash: string;
  /** The operator whose password it resets; absent for an invitation. */
  readonly operatorId?: bigint;
  /** The operator who made it, with whose access it ends; absent for a command or the first start. */
  readonly madeBy?: bigint;
  readonly expiresAtMs: number;
}

export interface OperatorSession {
  /** SHA-256 of the token, in hexadecimal. */
  readonly tokenHash: string;
  readonly operatorId: bigint;
  readonly createdAtMs: number;
  /** The last use, to within a minute. */
  readonly seenAtMs: number;
  /** The browser that began it, as it names itself; absent if it did not, or if an earlier release wrote the row. */
  readonly userAgent?: string;
  /** The address from which it began, if known. */
  readonly address?: string;
}

/** An end of one session or several that the audit may lack. */
export interface SessionEnd {
  /** The request that ended them; two ends never have the same. */
  readonly requestId: string;
  readonly operatorId: bigint;
  readonly operation: string;
  /** Unix milliseconds. */
  readonly atMs: number;
}

/** A change that concerns no tenant, for the console's audit trail. */
export interface OperatorEvent {
  /** Absent when a command or the first start made the change. */
  readonly operatorId?: bigint;
  /** Who ran the command that made it. */
  readonly actor?: CommandActor;
  readonly requestId?: string;
  /** When it happened, in Unix milliseconds; the time of the transaction when left out. */
  readonly atMs?: number;
  readonly operation: string;
  /** A JSON-serializable value without secrets. */
  readonly changes: Readonly<Record<string, unknown>>;
}

export interface StoredOperatorEvent extends OperatorEvent {
  readonly id: bigint;
  /** Unix milliseconds. */
  readonly atMs: number;
}

export interface OperatorReader {
  list(): Promise<OperatorRecord[]>;
  find(id: bigint): Promise<OperatorRecord | undefined>;
  findByUsername(username: string): Promise<OperatorRecord | undefined>;
  /** Returns a link that has neither been used nor expired. */
  findLink(tokenHash: string): Promise<OperatorLink | undefined>;
  /** Returns the links that have neither been used nor expired, the first to expire first. */
  listLinks(): Promise<OperatorLink[]>;
  /** Counts the links that have expired. They are removed when the next one is made. */
  countExpiredLinks(): Promise<number>;
  /** Returns the newest events first, `limit` of them, older than the event `before` when given. */
  listEvents(limit: number, before?: bigint): Promise<StoredOperatorEvent[]>;
  /** Returns the newest event of an operation. */
  lastEvent(operation: string): Promise<StoredOperatorEvent | undefined>;
}

/** Changes operators in one transaction. No other transaction changes them until it ends. */
export interface OperatorWriter extends OperatorReader {
  /** Returns `undefined` when the username is taken. */
  insert(
    operator: OperatorAccess & { readonly username: string; readonly passwordHash: string },
  ): Promise<bigint | undefined>;
  /**
   * Changing the password or disabling the operator also deletes their reset links. Links that they made are deleted
   * when they can no longer make any.
   */
  update(id: bigint, changes: OperatorChanges): Promise<void>;
  insertLink(link: OperatorLink): Promise<void>;
  /** Returns whether the link was there; only one of two callers gets true. */
  takeLink(tokenHash: string): Promise<boolean>;
  /** Whether there is an event of the request, at most a day older than a time in Unix milliseconds. */
  hasEvent(requestId: string, atMs: number): Promise<boolean>;
}

/** The operators of the console, their links and their audit trail. */
export interface Operators extends OperatorReader {
  /**
   * Runs `work` in one transaction with its claim and its event.
   *
   * @throws {AlreadyAcceptedError} when a committed transaction made the claim
   */
  write<T>(
    claim: AcceptanceClaim | undefined,
    work: (operators: OperatorWriter) => Promise<{ readonly result: T; readonly event?: OperatorEvent }>,
  ): Promise<T>;
}

/** Sessions of operators, and ends that the audit may lack. Losing them signs everybody out, and loses those ends. */
export interface OperatorSessions {
  insert(session: OperatorSession): Promise<void>;
  find(tokenHash: string): Promise<OperatorSession | undefined>;
  /** Returns the sessions of an operator, including ended ones, newest first. */
  listOf(operatorId: bigint): Promise<OperatorSession[]>;
  /** Records the last use of each session, in Unix milliseconds, by the hash of its token. */
  recordSeen(seenAtMs: ReadonlyMap<string, number>): Promise<void>;
  remove(tokenHash: string): Promise<void>;
  removeOf(operatorId: bigint): Promise<void>;
  /** Removes a session, and keeps the end until the audit has it. Returns whether the session was there. */
  end(tokenHash: string, end: SessionEnd): Promise<boolean>;
  /** Does the same for every session of the operator but one. Returns whether there were any. */
  endOthers(keptTokenHash: string, end: SessionEnd): Promise<boolean>;
  /** Returns the kept ends. */
  listEnds(): Promise<SessionEnd[]>;
  forgetEnd(requestId: string): Promise<void>;
  /** Returns the last use of each operator that has a session, in Unix milliseconds. */
  lastSeen(): Promise<ReadonlyMap<bigint, number>>;
  /** Deletes sessions that were begun before a time, or last used outside a range of times. Returns how many. */
  forget(createdBeforeMs: number, seenWithinMs: readonly [number, number]): Promise<number>;
}
