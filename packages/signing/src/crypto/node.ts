import { createHmac, createSecretKey, hash, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { SecretKey } from './secret-key.ts';

export function md5Base64(bytes: Uint8Array): string {
  return hash('md5', bytes, 'base64');
}

export function sha256Base64(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'base64');
}

// A KeyObject keeps the secret outside the JavaScript heap and never prints it.
export function importSecret(secret: string): SecretKey {
  return createSecretKey(secret, 'utf8') as unknown as SecretKey;
}

export function importSecretBytes(bytes: Uint8Array): SecretKey {
  return createSecretKey(bytes) as unknown as SecretKey;
}

/** Returns the text that {@link importSecret} was given. */
export function secretText(key: SecretKey): string {
  const bytes = toKeyObject(key).export();
  const text = bytes.toString('utf8');
  bytes.fill(0);
  return text;
}

/** @param message text is signed as UTF-8, bytes as they are */
export function hmacSha256Base64(key: SecretKey, message: string | Uint8Array): string {
  return createHmac('sha256', toKeyObject(key)).update(message).digest('base64');
}

const signatureCharacters = 44;
const left = new Uint8Array(signatureCharacters);
const right = new Uint8Array(signatureCharacters);
const encoder = new TextEncoder();

export function equalInConstantTime(a: string, b: string): boolean {
  // Two signatures need no new buffers, which take longer than the comparison.
  if (fills(left, a) && fills(right, b)) return timingSafeEqual(left, right);
  return equalBytes(Buffer.from(a, 'utf8'), Buffer.from(b, 'utf8'));
}

/** Writes the text, and returns whether it has a signature's length and is ASCII. */
function fills(bytes: Uint8Array, text: string): boolean {
  return text.length === bytes.length && encoder.encodeInto(text, bytes).read === bytes.length;
}

// UTF-8 is injective on everything a header can contain. Latin-1 drops the high byte, so two different texts
// could compare as equal.
function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

function toKeyObject(key: SecretKey): KeyObject {
  return key as unknown as KeyObject;
}
