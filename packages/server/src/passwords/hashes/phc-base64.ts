import { PasswordHashError } from './password-hash.ts';

/** Base64 as in the PHC string format; Python's passlib writes a dot instead of the plus. */
const alphabet = /^[A-Za-z0-9+/.]+$/;

const saltBytes = { min: 8, max: 64 };

/** Shorter tags would match a wrong password too easily. */
const tagBytes = { min: 16, max: 128 };

export function encodePhcBase64(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}

export function decodeSalt(text: string): Buffer {
  return decode(text, 'salt', saltBytes);
}

export function decodeTag(text: string): Buffer {
  return decode(text, 'hash value', tagBytes);
}

function decode(text: string, part: 'salt' | 'hash value', { min, max }: typeof saltBytes): Buffer {
  if (!alphabet.test(text)) {
    throw new PasswordHashError({ key: text.endsWith('=') ? 'padded' : 'notBase64', values: { part } });
  }
  const bytes = Buffer.from(text.replaceAll('.', '+'), 'base64');
  if (bytes.length >= min && bytes.length <= max) return bytes;
  throw new PasswordHashError({ key: 'wrongLength', values: { part, bytes: bytes.length, min, max } });
}
