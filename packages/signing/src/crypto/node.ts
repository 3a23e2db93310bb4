import { createHmac, createSecretKey, hash, timingSafeEqual } from 'node:crypto';
import type { SecretKey } from './secret-key.ts';

export function md5Base64(bytes: Uint8Array): string {
  return hash('md5', bytes, 'base64');
}

export function importSecret(secret: string): SecretKey {
  return new HmacKey(Buffer.from(secret, 'utf8')) as unknown as SecretKey;
}

export function importSecretBytes(bytes: Uint8Array): SecretKey {
  return new HmacKey(bytes) as unknown as SecretKey;
}

export function exportSecretBytes(key: SecretKey): Uint8Array {
  return (key as unknown as HmacKey).secret();
}

export function sha256Base64(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'base64');
}

export function hmacSha256Base64(key: SecretKey, message: string): string {
  return (key as unknown as HmacKey).sign(message);
}

const blockBytes = 64;
const digestBytes = 32;

/** Strings to sign are shorter, but for long queries. */
const messageBytesMax = 4096;
const innerText = Buffer.alloc(blockBytes + messageBytesMax);
const outerText = Buffer.alloc(blockBytes + digestBytes);

/**
 * A key for HMAC-SHA256 as RFC 2104 defines it, made of two hashes that Node.js computes in one call each: half
 * the time of its Hmac objects, which keep a state between calls that nobody needs here. Printed by mistake, it
 * shows no byte of the secret.
 */
class HmacKey {
  readonly #secret: Uint8Array;
  readonly #innerPad: Uint8Array;
  readonly #outerPad: Uint8Array;

  constructor(secret: Uint8Array) {
    this.#secret = secret;
    const block = new Uint8Array(blockBytes);
    block.set(secret.length > blockBytes ? hash('sha256', secret, 'buffer') : secret);
    this.#innerPad = block.map((byte) => byte ^ 0x36);
    this.#outerPad = block.map((byte) => byte ^ 0x5c);
  }

  secret(): Uint8Array {
    return this.#secret;
  }

  sign(message: string): string {
    // A UTF-16 code unit takes three bytes of UTF-8 at most.
    if (message.length * 3 > messageBytesMax) return this.#signLong(message);
    innerText.set(this.#innerPad);
    const length = blockBytes + innerText.write(message, blockBytes, 'utf8');
    outerText.set(this.#outerPad);
    outerText.write(hash('sha256', innerText.subarray(0, length), 'latin1'), blockBytes, 'latin1');
    return hash('sha256', outerText, 'base64');
  }

  #signLong(message: string): string {
    return createHmac('sha256', createSecretKey(this.#secret)).update(message, 'utf8').digest('base64');
  }
}

// UTF-8 is injective on what a header can hold. Latin-1 would not be: it drops the high byte, and two
// different texts would compare as equal.
export function equalInConstantTime(a: string, b: string): boolean {
  const left = Buffer.from(a, 'utf8');
  const right = Buffer.from(b, 'utf8');
  return left.length === right.length && timingSafeEqual(left, right);
}
