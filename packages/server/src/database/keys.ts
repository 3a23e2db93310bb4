import type { Actor } from './actor.ts';

/** A process that serves the database, and the master keys that it holds. */
export interface KeyHolder {
  /** Random; different for each start of a process. */
  readonly processId: string;
  readonly host: string;
  readonly pid: number;
  /** Processes with equal places see each other's process ids. */
  readonly place: string;
  readonly keyIds: readonly string[];
  /** When it last reported, in Unix milliseconds of the database's clock. */
  readonly seenAtMs: number;
}

/** Every report, and the current time of the clock that dated them. */
export interface KeyHolders {
  readonly holders: readonly KeyHolder[];
  /** Unix milliseconds. */
  readonly nowMs: number;
}

/** A process that serves the database, and its clock. */
export interface ProcessClock extends Pick<KeyHolder, 'host' | 'pid' | 'place' | 'seenAtMs'> {
  /** How far it was ahead of the database's when the process reported, in milliseconds; negative when behind. */
  readonly clockDifferenceMs: number;
}

/** A process's report of its keys; the database adds the time, and the difference of its clock. */
export type KeyReport = Omit<KeyHolder, 'seenAtMs'>;

/** Proofs of the master keys that the database knows; see `keyIdOfProof`. */
export interface StoredKeys {
  /** Proves the key that new secrets are sealed under. Absent before the first start. */
  readonly current?: string;
  /** Proves the key that a rotation will make current. */
  readonly next?: string;
  /** Proves the key that a rotation has replaced and that is not dropped yet. */
  readonly previous?: string;
}

/** The columns of an operator that hold a sealed TOTP secret. */
export type SecondFactorColumn = 'totp_sealed' | 'totp_pending';

/** A value sealed under a master key. */
export interface SealedValue {
  readonly place:
    | { readonly secretId: bigint; readonly appId: string }
    | { readonly operatorId: bigint; readonly column: SecondFactorColumn }
    | { readonly setting: string };
  readonly sealed: Uint8Array;
}

/** A sealed value, and the one that replaces it. */
export interface ResealedValue extends SealedValue {
  readonly resealed: Uint8Array;
}

/**
 * The master keys as the database knows them: proofs, holders, and the values sealed under them; never a key itself.
 */
export interface Keys {
  stored(): Promise<StoredKeys>;
  /**
   * Records the keys of a process. Returns the stored keys; any later change of them takes this report into account.
   */
  report(report: KeyReport): Promise<StoredKeys>;
  /** Records that a process still runs, and how far its clock is from the database's. Returns false when its report is missing. */
  noteAlive(processId: string): Promise<boolean>;
  forget(processId: string): Promise<void>;
  holders(): Promise<KeyHolders>;
  /**
   * Announces the key of a rotation, unless one has made its key current already.
   *
   * @param choose returns the proof of the new key; runs while no other process can announce one
   */
  announce(choose: (stored: StoredKeys) => string): Promise<StoredKeys>;
  /**
   * Makes the announced key current, if `mayChange` agrees to the reports at that moment. A process that reports later
   * sees the change. The audit of every tenant records it.
   *
   * @param next its proof
   * @returns whether it is current now
   */
  makeNextCurrent(next: string, mayChange: (reports: KeyHolders) => boolean, actor?: Actor): Promise<boolean>;
  /** Lists every sealed value. There are two or three for each application, and up to two for each operator. */
  listSealed(): Promise<SealedValue[]>;
  /**
   * Replaces values in one transaction, except those that have changed in the meantime. Returns how many it replaced.
   */
  reseal(values: readonly ResealedValue[]): Promise<number>;
  /**
   * Ends a rotation, and records that in the audit of every tenant. Returns whether there was a previous key.
   *
   * @throws {SchemaError} when a newer release has changed the tables
   */
  dropPrevious(actor?: Actor): Promise<boolean>;
}

/** Thrown when a write seals a secret under a key that a rotation has replaced. Nothing was stored. */
export class KeyReplacedError extends Error {
  override readonly name = 'KeyReplacedError';

  constructor() {
    super('the master key was replaced while this command ran; run it again');
  }
}

/** Names of the settings that prove keys. */
export const keyProofSettings = {
  current: 'master_key_proof',
  next: 'master_key_next',
  previous: 'master_key_previous',
} as const;

/** Name of the setting that holds the sealed key of keyed hashes. */
export const hashKeySetting = 'keyed_hash_key';

/** First byte of a sealed value that names its key. */
export const namedForm = 2;

/** Length of a key id within a sealed value, in bytes. */
export const keyIdBytes = 8;

/** Returns the id of a key, which is not secret: 16 hexadecimal digits, the beginning of its proof. */
export function keyIdOfProof(proof: string): string {
  return Buffer.from(proof, 'base64').subarray(0, keyIdBytes).toString('hex');
}

/** Returns the id of the key that a sealed value names, or `undefined` for the form of earlier releases. */
export function namedKeyId(sealed: Uint8Array): string | undefined {
  if (sealed[0] !== namedForm) return undefined;
  return Buffer.from(sealed)
    .subarray(1, 1 + keyIdBytes)
    .toString('hex');
}
