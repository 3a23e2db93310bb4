import { createHash } from 'node:crypto';
import { commonPasswordHashes } from './common-password-hashes.ts';

/** Bytes of each hash. With four, two of a million other passwords are taken for common ones. */
export const hashBytes = 4;

let known: ReadonlySet<number> | undefined;

/** Returns whether a password is one of the most common ones. Upper and lower case make no difference. */
export function isCommonPassword(password: string): boolean {
  known ??= readHashes();
  return known.has(hashOfPassword(password.toLowerCase()));
}

/** @param password in lower case */
export function hashOfPassword(password: string): number {
  return createHash('sha256').update(password).digest().readUInt32BE(0);
}

function readHashes(): ReadonlySet<number> {
  const bytes = Buffer.from(commonPasswordHashes, 'base64');
  const count = bytes.length / hashBytes;
  return new Set(Array.from({ length: count }, (_, index) => bytes.readUInt32BE(index * hashBytes)));
}
