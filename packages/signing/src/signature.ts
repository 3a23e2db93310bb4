import { equalInConstantTime, hmacSha256Base64, importSecret } from '#crypto';
import type { SecretKey } from './crypto/secret-key.ts';

export type { SecretKey };

/** An APPSECRET: its text, or the key that {@link secretKey} made of it once. */
export type Secret = string | SecretKey;

/**
 * Prepares a secret that is used again and again. On Node.js the key shows nothing of the secret when printed.
 *
 * @param secret the APPSECRET; its UTF-8 bytes are the HMAC key
 */
export function secretKey(secret: string): SecretKey {
  return importSecret(secret);
}

/**
 * Signs a string to sign with HMAC-SHA256.
 *
 * @param secret the APPSECRET, or its {@link secretKey}
 * @param stringToSign signed as UTF-8
 * @returns Base64 (44 characters) of the raw 32-byte digest, without a hexadecimal step
 */
export function signature(secret: Secret, stringToSign: string): string {
  return hmacSha256Base64(typeof secret === 'string' ? importSecret(secret) : secret, stringToSign);
}

/**
 * Compares two signatures in constant time, so that a forger cannot find one character by character.
 *
 * Compares texts, not the bytes they stand for: Base64 has several texts for the same bytes, and a second valid
 * text for a signature would pass for a new request where signatures are recorded against replay.
 */
export function signaturesEqual(a: string, b: string): boolean {
  return equalInConstantTime(a, b);
}
