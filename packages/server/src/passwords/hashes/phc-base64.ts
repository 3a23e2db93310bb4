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

function decode(text: string, part: string, { min, max }: typeof saltBytes): Buffer {
  if (!alphabet.test(text)) {
    const advice = text.endsWith('=')
      ? 'remove each = at its end'
      : 'it has a character other than letters, digits, "+", "/" and "."';
    throw new PasswordHashError(`its ${part} must be Base64 without padding; ${advice}`);
  }
  const bytes = Buffer.from(text.replaceAll('.', '+'), 'base64');
  if (bytes.length >= min && bytes.length <= max) return bytes;
  throw new PasswordHashError(`its ${part} has ${bytes.length} bytes; it must have ${min} to ${max}`);
}
