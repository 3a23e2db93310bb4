// Generated from the contract by scripts/generate.ts; edit the contract instead.

import type { CallOptions } from '../call-options.ts';
import type { IdInput } from '../id-input.ts';

/** Input of `batchUsers`. */
export interface BatchUsersInput {
  /** Users; a second entry for the same user fails. */
  readonly users: readonly {
    /** Login name: unique within the tenant, compared exactly, never renamed; a new one may not contain zero-width spaces or bidirectional controls; at most 50 characters. */
    readonly username: string;
    /** Name of the person; at most 100 characters. */
    readonly real_name?: string | null | undefined;
    /** Name to show; at most 100 characters. */
    readonly nickname?: string | null | undefined;
    /** 0 = not given, 1 = male, 2 = female. */
    readonly gender?: 0 | 1 | 2 | null | undefined;
    /** Email address; its format is not checked; at most 255 characters. */
    readonly email?: string | null | undefined;
    /** Telephone number; its format is not checked; at most 255 characters. */
    readonly phone?: string | null | undefined;
    /** Department; at most 100 characters. */
    readonly department?: string | null | undefined;
    /** URL of a picture; at most 250 characters. */
    readonly avatar?: string | null | undefined;
    /** A code that the caller chooses, such as an employee number; at most 50 characters. */
    readonly unique_code?: string | null | undefined;
    /** Free-form information; JSON is recommended; at most 1000 characters. */
    readonly ext_info?: string | null | undefined;
    /** Password; stored as an argon2id hash only; at most 200 characters. */
    readonly password?: string | null | undefined;
    /** A hash instead of a password: $argon2id$v=19$m=…,t=…,p=…$salt$hash (or argon2i), $2b$cost$… (or 2a, 2y), $scrypt$ln=…,r=…,p=…$salt$hash, or $pbkdf2-sha256$i=…$salt$hash (or sha512); at most 512 characters. */
    readonly password_hash?: string | null | undefined;
    /** Role to bind, replacing the previous one; 0: no change. To remove it, use unbind-user-role. */
    readonly role_id?: IdInput | null | undefined;
    /** Organization to bind, replacing the previous one; 0: no change. To remove it, use unbind-user-org. */
    readonly org_id?: IdInput | null | undefined;
    /** The stores that the user has afterwards; if left out or null, they stay. */
    readonly store_codes?: readonly string[] | null | undefined;
  }[];
  /** Report what would happen, and change nothing. */
  readonly dry_run?: boolean | null | undefined;
  /** Apply all entries or none. */
  readonly atomic?: boolean | null | undefined;
}

/** Result of `batchUsers`. */
export interface BatchUsersData<Id = bigint> {
  /** False for a dry run, and for an atomic batch in which an entry fails. True otherwise, even if every entry failed or was unchanged. */
  applied: boolean;
  /** Users created; if applied is false, those that would have been. */
  created: number;
  /** Users changed; if applied is false, those that would have been. */
  updated: number;
  /** Users that needed no change. */
  unchanged: number;
  /** Entries that failed. */
  failed: number;
  results: {
    /** Position of the entry, from 0. */
    index: number;
    /** Login name of the entry. */
    username: string;
    /** What happened to the user (what would have, if applied is false). */
    outcome: 'created' | 'updated' | 'unchanged' | 'failed';
    /** Id of the user; 0 if the entry failed, or if a user would have been created but was not. */
    id: Id;
    /** 0, or the code of the failure. */
    code: number;
    /** Empty, or what is wrong with the entry. */
    message: string;
    changes: {
      /** Name of the field. */
      field: string;
      /** Value before, as text; empty for a new user and, below the scope manage, for ext_info, which no query returns. */
      from: string;
      /** Value after, as text; for a password, only that it was set or replaced. */
      to: string;
    }[];
    stores_added: string[];
    stores_removed: string[];
  }[];
}

export interface BatchUsers<Id = bigint> {
  /**
   * Create or update many users with their bindings: `POST /users/batch`. Does for each entry what batch-update-user-stores (POST /user/stores) does for one user, also sets its other fields, its role and its organization, and returns an outcome for each, in the order of the entries. An entry that fails changes nothing and does not affect the others, unless atomic is true: then nothing is applied, and the answer is 0 with applied false. The code of such an entry is 1001, 1201, 1301 or 1401. A dry run reports the same outcomes and changes nothing. Neither a failed atomic batch nor a dry run counts as processed, so the same signed request may be sent again. Any other batch does, even if every entry failed. If its answer is lost, a dry run of the same users shows which entries fail or still differ from the directory. One that failed may differ instead of failing, if its role, for example, has been added since; send such entries again. A dry run always reports a password as a difference. At most 1000 entries may have a password, because the server must hash each; password_hash costs nothing. One request may take at most 200000 stores from its users: a user whose m stores become n counts as m - n. The code of a request that takes more is 1001, and nothing is applied. An entry has no if_revision and no status: like other unknown fields, both are ignored. Use update-user and set-user-status for them.
   *
   * @throws {FieldrosterError} with 1002 invalid-body, 1003 unsupported-content, and the codes that every operation shares
   */
  batchUsers(input: BatchUsersInput, options?: CallOptions): Promise<BatchUsersData<Id>>;
}

/** Its route, and the int64 values of its input and answer. */
export const batchUsers = {
  name: 'batch-users',
  method: 'POST',
  path: '/users/batch',
  access: 'write',
  repeatable: true,
  dryRun: true,
  fieldsIn: 'body',
  takes: { users: { role_id: true, org_id: true } },
  answer: { results: { id: true } },
} as const;
