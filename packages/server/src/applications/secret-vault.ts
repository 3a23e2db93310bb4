import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

const version = 1;
const nonceBytes = 12;
const tagBytes = 16;

/** Length of the master key, in bytes: AES-256. */
export const masterKeyBytes = 32;

/**
 * Encrypts the secrets of applications under the master key (AES-256-GCM), so that a copy of the database alone cannot
 * sign. The sealed form is: version, nonce, tag, ciphertext.
 */
export class SecretVault {
  readonly #key: Buffer;
  readonly #hashKey: Buffer;

  /** @param masterKey 32 random bytes that are not kept in the database */
  constructor(masterKey: Uint8Array) {
    if (masterKey.length !== masterKeyBytes) throw new TypeError(`a master key has ${masterKeyBytes} bytes`);
    this.#key = Buffer.from(masterKey);
    this.#hashKey = Buffer.from(hkdfSync('sha256', this.#key, '', 'fieldroster keyed hash', 32));
  }

  /** @param appId bound into the sealed form: a row copied to another application does not open */
  seal(appId: string, secret: string): Uint8Array {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce).setAAD(Buffer.from(appId));
    const ciphertext = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return Buffer.concat([Buffer.of(version), nonce, cipher.getAuthTag(), ciphertext]);
  }

  /** @throws when the master key or the application differs, or the bytes were changed */
  open(appId: string, sealed: Uint8Array): string {
    const bytes = Buffer.from(sealed);
    if (bytes[0] !== version) throw new Error(`the secret of ${appId} is sealed in an unknown form`);
    const nonce = bytes.subarray(1, 1 + nonceBytes);
    const tag = bytes.subarray(1 + nonceBytes, 1 + nonceBytes + tagBytes);
    const decipher = createDecipheriv('aes-256-gcm', this.#key, nonce)
      .setAAD(Buffer.from(appId))
      .setAuthTag(tag);
    const ciphertext = bytes.subarray(1 + nonceBytes + tagBytes);
    return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString('utf8');
  }

  /**
   * Returns a hash that stands for a text in the database and the log. Equal texts have equal hashes, and without the
   * master key the text cannot be found by trying.
   *
   * @returns 32 hexadecimal digits
   */
  keyedHash(text: string): string {
    return createHmac('sha256', this.#hashKey).update(text).digest('hex').slice(0, 32);
  }

  /** Returns a value to keep in the database, from which a later start detects a different key. */
  proofOfKey(): string {
    return createHmac('sha256', this.#key).update('fieldroster master key').digest('base64');
  }

  /** Whether the proof was made with this key. */
  accepts(proof: string): boolean {
    const [ours, theirs] = [Buffer.from(this.proofOfKey()), Buffer.from(proof)];
    return ours.length === theirs.length && timingSafeEqual(ours, theirs);
  }
}
