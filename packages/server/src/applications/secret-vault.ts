import { createHmac } from 'node:crypto';
import { namedKeyId } from '../database/database.ts';
import { OperatorError } from '../errors/operator-error.ts';
import { HeldKey } from './held-key.ts';

/** A value names a key that this process does not hold. */
export class UnknownKeyError extends OperatorError {
  override readonly name = 'UnknownKeyError';
  readonly keyId: string;

  constructor(context: string, keyId: string) {
    super(
      `the secret of ${context} is sealed under the master key ${keyId}, which this process does not hold; give it that ` +
        'key as its previous one, see docs/keys.md',
    );
    this.keyId = keyId;
  }
}

/**
 * Encrypts the secrets of applications under the master key (AES-256-GCM), so that a copy of the database alone cannot
 * sign. The sealed form is: version, id of the key, nonce, tag, ciphertext. While a key is being replaced, the vault
 * holds two.
 */
export class SecretVault {
  #keys: readonly HeldKey[];
  #sealing: HeldKey;
  #hashKey: Buffer;

  /** @param masterKeys the first one seals; each has 32 bytes and is not kept in the database */
  constructor(...masterKeys: readonly [Uint8Array, ...Uint8Array[]]) {
    const [first, ...others] = masterKeys;
    this.#sealing = new HeldKey(first);
    this.#keys = unique([this.#sealing, ...others.map((key) => new HeldKey(key))]);
    this.#hashKey = this.deriveHashKey();
  }

  /** Ids of the keys that it holds, in the order given. */
  get keyIds(): readonly string[] {
    return this.#keys.map(({ id }) => id);
  }

  /**
   * Replaces the keys, for example after their files changed.
   *
   * @param proof belongs to the key to seal with
   * @returns false, and keeps the keys it has, if that key is not among the new ones
   */
  hold(masterKeys: readonly Uint8Array[], proof: string): boolean {
    const keys = unique(masterKeys.map((key) => new HeldKey(key)));
    const sealing = keys.find((key) => key.accepts(proof));
    if (sealing === undefined) return false;
    this.#keys = keys;
    this.#sealing = sealing;
    return true;
  }

  /** Seals with the key that the proof belongs to. Returns false if it does not hold that key. */
  sealWith(proof: string): boolean {
    const key = this.#keys.find((held) => held.accepts(proof));
    if (key !== undefined) this.#sealing = key;
    return key !== undefined;
  }

  /** @param context bound into the sealed form: a row copied to another application does not open */
  seal(context: string, secret: string): Uint8Array {
    return this.#sealing.seal(context, secret);
  }

  /**
   * @throws {UnknownKeyError} when the value names a key that the vault does not hold
   * @throws when the master key or the context differs, or the bytes were changed
   */
  open(context: string, sealed: Uint8Array): string {
    return this.openBy(context, sealed).secret;
  }

  /** Opens like `open`, and also returns the id of the key that opened the value. */
  openBy(context: string, sealed: Uint8Array): { readonly secret: string; readonly keyId: string } {
    const named = namedKeyId(sealed);
    const keys = named === undefined ? this.#keys : this.#keys.filter(({ id }) => id === named);
    if (named !== undefined && keys.length === 0) throw new UnknownKeyError(context, named);
    let cause: unknown;
    for (const key of keys) {
      try {
        return { secret: key.open(context, sealed), keyId: key.id };
      } catch (error) {
        cause = error;
      }
    }
    throw new Error(`no master key of this process opens the secret of ${context}`, { cause });
  }

  /** Uses another key for keyed hashes, which outlives the master key that it was derived from. */
  hashWith(hashKey: Uint8Array): void {
    this.#hashKey = Buffer.from(hashKey);
  }

  /** Returns the key of keyed hashes that the sealing key gives, for a database that keeps none yet. */
  deriveHashKey(): Buffer {
    return this.#sealing.derive('fieldroster keyed hash');
  }

  /**
   * Returns a hash to keep in the database and the log in place of a string.
   * Equal strings have equal hashes, and nobody can find the string by trying without the key.
   *
   * @returns 32 hexadecimal digits
   */
  keyedHash(text: string): string {
    return createHmac('sha256', this.#hashKey).update(text).digest('hex').slice(0, 32);
  }

  /** Returns a value to keep in the database, from which a later start detects a different key. */
  proofOfKey(): string {
    return this.#sealing.proof;
  }

  /** Returns whether the proof was made with the key that seals. */
  accepts(proof: string): boolean {
    return this.#sealing.accepts(proof);
  }
}

function unique(keys: readonly HeldKey[]): readonly HeldKey[] {
  return [...new Map(keys.map((key) => [key.id, key])).values()];
}
