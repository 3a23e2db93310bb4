import { hmac } from '@noble/hashes/hmac.js';
import { md5 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import type { SecretKey } from './secret-key.ts';

// WebCrypto has no MD5 and only an asynchronous HMAC, so browsers and workers hash in JavaScript.
const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export function md5Base64(bytes: Uint8Array): string {
  return base64(md5(bytes));
}

export function importSecret(secret: string): SecretKey {
  return encoder.encode(secret) as unknown as SecretKey;
}

export function importSecretBytes(bytes: Uint8Array): SecretKey {
  return bytes as unknown as SecretKey;
}

/** Returns the text that {@link importSecret} was given. */
export function secretText(key: SecretKey): string {
  return decoder.decode(key as unknown as Uint8Array);
}

export function sha256Base64(bytes: Uint8Array): string {
  return base64(sha256(bytes));
}

/** @param message text is signed as UTF-8, bytes as they are */
export function hmacSha256Base64(key: SecretKey, message: string | Uint8Array): string {
  const bytes = typeof message === 'string' ? encoder.encode(message) : message;
  return base64(hmac(sha256, key as unknown as Uint8Array, bytes));
}

// No early exit: the time depends only on the length, which is public.
export function equalInConstantTime(a: string, b: string): boolean {
  const left = encoder.encode(a);
  const right = encoder.encode(b);
  if (left.length !== right.length) return false;
  let difference = 0;
  for (let i = 0; i < left.length; i++) difference |= (left[i] as number) ^ (right[i] as number);
  return difference === 0;
}

// Some browsers in use lack Uint8Array.prototype.toBase64.
function base64(bytes: Uint8Array & { toBase64?: () => string }): string {
  return bytes.toBase64?.() ?? btoa(String.fromCharCode(...bytes));
}
