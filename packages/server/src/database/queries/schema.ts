import type { Generated } from 'kysely';
import type { StoreRecord, UserStatus } from '../records.ts';
import type { UserColumns, UserFieldName } from '../user-columns.ts';
import type { histogramColumns } from './bookkeeping/histogram-columns.ts';

/** The columns of the fields that callers may set. */
export type UserProfileRow = {
  [Name in UserFieldName as UserColumns[Name]['column']]: UserColumns[Name]['type'] extends 'text'
    ? string
    : bigint;
};

/** Calls of one application to one operation with one code, in the minute or hour that starts at `start_at`. */
type CallCountRow = {
  start_at: bigint;
  app_id: string;
  operation: string;
  code: bigint;
  calls: bigint;
  total_us: bigint;
} & Record<(typeof histogramColumns)[number], bigint>;

/**
 * The tables of the bookkeeping. On the embedded engine they are in a second file; a session has either these or the
 * others.
 */
export interface BookkeepingSchema {
  /** Failed password checks of a subject, a keyed hash, in the window that ends at `ends_at`. */
  password_failure: { subject: string; failures: bigint; ends_at: bigint };
  secret_use: { secret_id: bigint; last_used_at: bigint };
  /** Calls by minute. */
  call_summary: CallCountRow;
  /** The same calls by hour, for sums over long times. */
  call_hour: CallCountRow;
  failed_call: {
    request_id: string;
    at: bigint;
    /** 1 if the caller's signature was valid, else 0. */
    verified: bigint;
    app_id: string | null;
    operation: string | null;
    code: bigint;
    message: string;
    duration_us: bigint;
    address: string | null;
    method: string;
    target: string;
    cause: string | null;
    /** A JSON array. */
    strings_to_sign: string | null;
  };
  operator_session: {
    token_hash: string;
    operator_id: bigint;
    created_at: bigint;
    seen_at: bigint;
    user_agent: string | null;
    address: string | null;
  };
  /** Ended sessions whose audit row may be missing. */
  session_end: { request_id: string; operator_id: bigint; operation: string; at: bigint };
  /** Entries of a tenant on a day since 1970. The counts are null while a process makes them; it began at `at`. */
  entry_count: {
    tenant_id: bigint;
    day: bigint;
    at: bigint;
    users: bigint | null;
    stores: bigint | null;
    bindings: bigint | null;
    applications: bigint | null;
  };
  /** Failures that were only counted, because of the limits. */
  unkept_failure: { minute_at: bigint; calls: bigint };
}

/** The tables of the directory itself. */
export type DirectoryTable = Exclude<keyof Schema, keyof BookkeepingSchema>;

/**
 * The tables of both engines. Every integer has 64 bits and is a `bigint` in code, so that no id is ever rounded and no
 * column needs its own conversion. Times are Unix milliseconds unless the name says seconds.
 */
export interface Schema extends BookkeepingSchema {
  tenant: { id: Generated<bigint>; name: string; created_at: bigint };
  application: {
    app_id: string;
    tenant_id: bigint;
    name: string;
    status: string;
    scope: string;
    created_at: bigint;
    /** Requests per second; null for the server's own limit. */
    rate_limit: bigint | null;
    /** Addresses and networks separated by commas; null for any. */
    allowed_addresses: string | null;
    expires_at: bigint | null;
  };
  application_secret: {
    id: Generated<bigint>;
    app_id: string;
    sealed: Uint8Array;
    created_at: bigint;
    expires_at: bigint | null;
    last_used_at: bigint | null;
  };
  /**
   * The revision of the credentials, the time through which claims were purged (Unix seconds), when audit rows were last
   * purged (Unix milliseconds), and the last user id on an engine without sequences.
   */
  counter: { name: 'credentials' | 'purged_through' | 'audit_purged_at' | 'user_id'; value: bigint };
  setting: { name: string; value: string };
  user: UserProfileRow & {
    tenant_id: bigint;
    id: bigint;
    username: string;
    password_hash: string | null;
    status: UserStatus;
    /** 1 for a user without such a binding, else 0; see `withoutBinding`. */
    without_role: bigint;
    without_org: bigint;
    without_store: bigint;
    revision: bigint;
    created_at: bigint;
    updated_at: bigint;
  };
  user_role: { tenant_id: bigint; user_id: bigint; role_id: bigint };
  user_org: { tenant_id: bigint; user_id: bigint; org_id: bigint };
  user_store: { tenant_id: bigint; user_id: bigint; store_code: string };
  role: {
    tenant_id: bigint;
    id: bigint;
    name: string;
    system_id: bigint;
    position: bigint;
    description: string;
    code: string | null;
    revision: Generated<bigint>;
  };
  org: { tenant_id: bigint; id: bigint; name: string; parent_id: bigint | null; revision: Generated<bigint> };
  store: StoreRecord & { tenant_id: bigint; revision: Generated<bigint> };
  accepted_write: { expires_at_seconds: bigint; signature: Uint8Array; request_id: string };
  accepted_nonce: { expires_at_seconds: bigint; app_id: string; nonce: string; request_id: string };
  /** A process that serves the database; `key_ids` has the ids of the master keys that it holds, as a JSON array. */
  key_holder: {
    process_id: string;
    host: string;
    pid: bigint;
    place: string;
    key_ids: string;
    seen_at: bigint;
    clock_difference_ms: bigint | null;
  };
  /** The console's users. `all_tenants` is 1 or 0; `recovery_hashes` is a JSON array of strings. */
  operator: {
    id: Generated<bigint>;
    username: string;
    password_hash: string;
    role: string;
    all_tenants: bigint;
    status: string;
    totp_sealed: Uint8Array | null;
    totp_pending: Uint8Array | null;
    totp_step: bigint;
    recovery_hashes: string;
    sessions_from: bigint;
    created_at: bigint;
  };
  operator_tenant: { operator_id: bigint; tenant_id: bigint };
  operator_link: {
    token_hash: string;
    operator_id: bigint | null;
    role: string;
    all_tenants: bigint;
    /** JSON array of ids as strings. */
    tenant_ids: string;
    expires_at: bigint;
    /** The operator whose access it grants on; null for a command or the first start. */
    made_by: bigint | null;
  };
  operator_event: {
    id: Generated<bigint>;
    at: bigint;
    operator_id: bigint | null;
    request_id: string | null;
    operation: string;
    changes: string;
    actor: string | null;
  };
  audit_event: {
    id: Generated<bigint>;
    tenant_id: bigint;
    at: bigint;
    app_id: string | null;
    request_id: string | null;
    operation: string;
    user_id: bigint | null;
    changes: string;
    /** JSON of an `Actor`; null for a signed request. */
    actor: string | null;
  };
  /** The one row of the backup schedule, named `schedule`. Describes this place, so backups leave it out. */
  backup_state: {
    name: string;
    /** Process that makes a backup until `lease_until`; empty when none does. */
    holder: string;
    lease_until: bigint;
    /** Start of the latest attempt, good or not. */
    tried_at: bigint;
    /** Moment that the last verified backup shows; null before the first. */
    good_at: bigint | null;
    good_file: string;
    good_bytes: bigint;
  };
  /** Erased users. Holds ids and keyed hashes only. */
  erasure: { tenant_id: bigint; user_id: bigint; username_hash: string; at: bigint };
}
