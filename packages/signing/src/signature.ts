import { equalInConstantTime, hmacSha256Base64, importSecret } from '#crypto';
import type { SecretKey } from './crypto/secret-key.ts';

export type { SecretKey };

/** Signs in place of {@link signature}, for a server that has a faster HMAC-SHA256 for the secrets it keeps. */
export interface Signer {
  /** The same secret, for `findMistake`. */
  readonly key: SecretKey;
  /** Returns what {@link signature} returns for the secret. */
  sign(stringToSign: string): string;
}

/** An APPSECRET: its text, the key that {@link secretKey} made from it, or a signer that holds it. */
export type Secret = string | SecretKey | Signer;

/**
 * Prepares a secret for repeated use. On Node.js, printing the key reveals nothing of the secret.
 *
 * @param secret the APPSECRET; its UTF-8 bytes are the HMAC key
 */
export function secretKey(secret: string): SecretKey {
  return importSecret(secret);
}

/**
 * Signs a string to sign with HMAC-SHA256.
 *
 * @param secret the APPSECRET in any form
 * @param stringToSign signed as UTF-8
 * @returns Base64 (44 characters) of the raw 32-byte digest, not of its hexadecimal form
 */
export function signature(secret: Secret, stringToSign: string): string {
  return isSigner(secret) ? secret.sign(stringToSign) : hmacSha256Base64(keyOf(secret), stringToSign);
}

/** Returns the key of a secret in any form. */
export function keyOf(secret: Secret): SecretKey {
  if (typeof secret === 'string') return importSecret(secret);
  return isSigner(secret) ? secret.key : secret;
}

function isSigner(secret: Secret): secret is Signer {
  return typeof secret === 'object' && 'sign' in secret;
}

/**
 * Compares two signatures in constant time, so that a forger cannot guess one character by character.
 *
 * Compares the texts, not the decoded bytes: Base64 has several texts for the same bytes, and a second valid
 * text for a signature would pass for a new request where signatures are recorded against replay.
 */
export function signaturesEqual(a: string, b: string): boolean {
  return equalInConstantTime(a, b);
}
