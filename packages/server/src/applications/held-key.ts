import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { keyIdBytes, keyIdOfProof, namedForm } from '../database/database.ts';

/** Length of the master key, in bytes: AES-256. */
export const masterKeyBytes = 32;

/** First byte of a value that an earlier release sealed, without the id of its key. */
const unnamedForm = 1;

const nonceBytes = 12;
const tagBytes = 16;

/** One master key that a process holds. */
export class HeldKey {
  /** 16 hexadecimal digits; derived from the key, and not secret. */
  readonly id: string;
  /** Lets a later start detect a different key; kept in the database. */
  readonly proof: string;
  readonly #key: Buffer;

  /** @param masterKey 32 random bytes that are not kept in the database */
  constructor(masterKey: Uint8Array) {
    if (masterKey.length !== masterKeyBytes) throw new TypeError(`a master key has ${masterKeyBytes} bytes`);
    this.#key = Buffer.from(masterKey);
    this.proof = createHmac('sha256', this.#key).update('fieldroster master key').digest('base64');
    this.id = keyIdOfProof(this.proof);
  }

  /** Returns whether the proof was made with this key. */
  accepts(proof: string): boolean {
    const [ours, theirs] = [Buffer.from(this.proof), Buffer.from(proof)];
    return ours.length === theirs.length && timingSafeEqual(ours, theirs);
  }

  /** @param context bound into the sealed form: a value copied to another place does not open */
  seal(context: string, secret: string): Uint8Array {
    const header = Buffer.concat([Buffer.of(namedForm), Buffer.from(this.id, 'hex')]);
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce).setAAD(bound(header, context));
    const ciphertext = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return Buffer.concat([header, nonce, cipher.getAuthTag(), ciphertext]);
  }

  /** @throws when the key or the context differs, or the bytes were changed */
  open(context: string, sealed: Uint8Array): string {
    const bytes = Buffer.from(sealed);
    const headerBytes = bytes[0] === unnamedForm ? 1 : 1 + keyIdBytes;
    const rest = bytes.subarray(headerBytes);
    const aad =
      bytes[0] === unnamedForm ? Buffer.from(context) : bound(bytes.subarray(0, headerBytes), context);
    const decipher = createDecipheriv('aes-256-gcm', this.#key, rest.subarray(0, nonceBytes))
      .setAAD(aad)
      .setAuthTag(rest.subarray(nonceBytes, nonceBytes + tagBytes));
    const ciphertext = rest.subarray(nonceBytes + tagBytes);
    return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString('utf8');
  }

  /** Derives a key for another purpose. This key cannot be computed from it. */
  derive(purpose: string): Buffer {
    return Buffer.from(hkdfSync('sha256', this.#key, '', purpose, masterKeyBytes));
  }
}

function bound(header: Buffer, context: string): Buffer {
  return Buffer.concat([header, Buffer.from(context)]);
}
