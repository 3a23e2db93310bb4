import { pbkdf2, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { checkCost, costLimits } from './hash-limits.ts';
import { PasswordHashError, type PasswordHashReader } from './password-hash.ts';
import { decodeSalt, decodeTag } from './phc-base64.ts';

const pbkdf2Async = promisify(pbkdf2);

/** Some programs label the iterations with `i=` and add the length of the hash; passlib does neither. */
const form = /^\$pbkdf2-(sha256|sha512)\$(?:i=)?(\d{1,9})(?:,l=\d{1,3})?\$([^$]+)\$([^$]+)$/;

/** Per digest: its length, and the number of iterations that take about as long as one check of a new hash. */
const digests = {
  sha256: { bytes: 32, likeOneArgon2: 80_000 },
  sha512: { bytes: 64, likeOneArgon2: 40_000 },
} as const;

/** Source: RFC 8018, and the PHC string format. */
export const readPbkdf2: PasswordHashReader = (text) => {
  if (!text.startsWith('$pbkdf2')) return undefined;
  const [, digest, iterations, salt = '', tag = ''] = form.exec(text) ?? [];
  if (digest === undefined) {
    throw new PasswordHashError({ key: 'pbkdf2Form', values: {} });
  }
  const count = Number(iterations);
  const [saltBytes, expected] = [decodeSalt(salt), decodeTag(tag)];
  // Each output block beyond the digest's length repeats all iterations.
  const { bytes, likeOneArgon2 } = digests[digest as keyof typeof digests];
  const blocks = Math.ceil(expected.length / bytes);
  const work = count * blocks;
  return {
    outdated: true,
    relativeCost: work / likeOneArgon2,
    ...checkCost(work, costLimits.pbkdf2Iterations, { cost: 'pbkdf2Iterations', blocks }),
    matches: async (password) =>
      timingSafeEqual(await pbkdf2Async(password, saltBytes, count, expected.length, digest), expected),
  };
};
