import { createHash, randomBytes } from 'node:crypto';

const tokenBytes = 32;

/** Returns a new secret of 256 bits for a session or a link, in Base64url. */
export function newToken(): string {
  return randomBytes(tokenBytes).toString('base64url');
}

/**
 * Returns the hash under which the database stores a token. A token has 256 random bits, so nobody can reverse a plain
 * SHA-256 by trying.
 *
 * @returns 64 hexadecimal digits
 */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
