import { pbkdf2, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { hashLimits, requireAtMost } from './hash-limits.ts';
import { PasswordHashError, type PasswordHashReader } from './password-hash.ts';
import { decodeSalt, decodeTag } from './phc-base64.ts';

const pbkdf2Async = promisify(pbkdf2);

/** Some writers name the iterations, and state the length of the hash; passlib does neither. */
const form = /^\$pbkdf2-(sha256|sha512)\$(?:i=)?(\d{1,9})(?:,l=\d{1,3})?\$([^$]+)\$([^$]+)$/;

/** Source: RFC 8018, and the PHC string format. */
export const readPbkdf2: PasswordHashReader = (text) => {
  if (!text.startsWith('$pbkdf2')) return undefined;
  const [, digest, iterations, salt = '', tag = ''] = form.exec(text) ?? [];
  if (digest === undefined) {
    throw new PasswordHashError('pbkdf2 must be written as $pbkdf2-sha256$i=…$salt$hash, or pbkdf2-sha512');
  }
  const count = Number(iterations);
  requireAtMost(count, hashLimits.pbkdf2Iterations, 'the iterations of pbkdf2');
  const [saltBytes, expected] = [decodeSalt(salt), decodeTag(tag)];
  return {
    outdated: true,
    matches: async (password) =>
      timingSafeEqual(await pbkdf2Async(password, saltBytes, count, expected.length, digest), expected),
  };
};
