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

// UTF-8 is injective on everything a header can contain. Latin-1 drops the high byte, so two different texts
// could compare as equal.
export function equalInConstantTime(a: string, b: string): boolean {
  const left = Buffer.from(a, 'utf8');
  const right = Buffer.from(b, 'utf8');
  return left.length === right.length && timingSafeEqual(left, right);
}

function toKeyObject(key: SecretKey): KeyObject {
  return key as unknown as KeyObject;
}
