import type { Problem } from '@fieldroster/contract/problems';
import type { ListKind } from '@fieldroster/tables';

/** The kind of entry in a file. */
export type ImportKind = 'users' | ListKind;

// The compiler refuses a record that lacks a kind, but not a list that does.
const isImportKind: Readonly<Record<ImportKind, true>> = {
  users: true,
  stores: true,
  orgs: true,
  roles: true,
};

export const importKinds = Object.keys(isImportKind) as readonly ImportKind[];

/** The step that an import has reached. */
export type ImportStep = 'columns' | 'preview' | 'running' | 'stopped' | 'done';

/** The field of each column by its name; `''` for one that is left out. */
export type ColumnFields = Readonly<Record<string, string>>;

/** One request of an import that has begun. */
export interface SentBatch {
  /** Identifies the change, so that it takes effect once, no matter how often it is sent. */
  readonly changeId: string;
  /** When it was first sent, in Unix milliseconds by the server's clock. */
  readonly startedAtMs: number;
  /** Index of the row if the request has only this one of the batch, because the batch as a whole was refused. */
  readonly row?: number;
  /** Lines of the batch's rows that were to change when it was first sent; absent for users. */
  readonly changingLines?: readonly number[];
}

/** An import as the browser keeps it, so that it survives a reload. */
export interface ImportJob {
  /** Tells it from every other import. */
  readonly id: string;
  /** The operator and the tenant that the import belongs to. */
  readonly owner: string;
  readonly kind: ImportKind;
  readonly file: Blob;
  readonly fileName: string;
  /** Encoding of a text file, as it was found or chosen. */
  readonly encoding: string;
  readonly fields: ColumnFields;
  readonly step: ImportStep;
  /** When it was told to begin, in Unix milliseconds by the server's clock. */
  readonly begunAtMs?: number;
  /** When it last got on, in Unix milliseconds by the server's clock. */
  readonly activeAtMs?: number;
  /** The batch whose outcome is not known yet. */
  readonly sent?: SentBatch;
  /** Whether nothing proves any more that the batch which was sent last took effect. */
  readonly isUnsure?: boolean;
  /** Number of batches whose outcome is known. */
  readonly batchesDone: number;
  /** Once it has begun. */
  readonly progress?: Progress;
}

/** Progress of an import, in rows. */
export interface Progress {
  readonly done: number;
  readonly all: number;
}

export const outcomes = ['created', 'updated', 'unchanged', 'failed'] as const;

/** `applied`: it was done, but the answer with the details was lost. */
export type Outcome = (typeof outcomes)[number] | 'applied';

/** An earlier code that differs only in upper and lower case. */
export interface CaseVariant {
  readonly code: string;
  /** Its line in the file; absent for a store of the directory. */
  readonly line?: number;
}

/** The planned or actual outcome for the entry that a row describes. */
export interface RowOutcome {
  readonly line: number;
  /** The username, the code or the id; of a role without an id, the name. Empty if the row has none of these. */
  readonly key: string;
  /** The name of an entry without a key. */
  readonly name?: string;
  /** Present if a new store's code differs from an earlier one only in upper and lower case. */
  readonly caseVariant?: CaseVariant;
  /** The id of the user, once there is one. */
  readonly userId?: string;
  readonly outcome: Outcome;
  /** Why it failed; else empty. */
  readonly message: string;
  /**
   * The message as data, for other languages: each mistake of the row. Absent for what the console has no words of its
   * own for.
   */
  readonly problems?: readonly Problem[];
  readonly changes: readonly { readonly field: string; readonly from: string; readonly to: string }[];
  readonly added: readonly string[];
  readonly removed: readonly string[];
}
