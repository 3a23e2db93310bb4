import { type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { checkCost, costLimits, hashLimits, requireAtMost } from './hash-limits.ts';
import { PasswordHashError, type PasswordHashReader } from './password-hash.ts';
import { decodeSalt, decodeTag } from './phc-base64.ts';

const scryptAsync = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

const form = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,9}),p=(\d{1,9})\$([^$]+)\$([^$]+)$/;

const mebibyte = 1024 * 1024;

/** The N · r · p that takes about as long as one check of a new hash. */
const likeOneArgon2 = 2 ** 16;

/** Source: RFC 7914, and the PHC string format; N is two to the power of `ln`. */
export const readScrypt: PasswordHashReader = (text) => {
  if (!text.startsWith('$scrypt$')) return undefined;
  const [whole, ln, r, p, salt = '', tag = ''] = form.exec(text) ?? [];
  if (whole === undefined) {
    throw new PasswordHashError({ key: 'scryptForm', values: {} });
  }
  const [N, blockSize, parallelization] = [2 ** Number(ln), Number(r), Number(p)];
  requireBounds(N, blockSize, parallelization);
  const [saltBytes, expected] = [decodeSalt(salt), decodeTag(tag)];
  const options = { N, r: blockSize, p: parallelization, maxmem: 2 * hashLimits.memoryMebibytes * mebibyte };
  const work = N * blockSize * parallelization;
  return {
    outdated: true,
    relativeCost: work / likeOneArgon2,
    memoryBytes: memoryOf(N, blockSize, parallelization),
    ...checkCost(work, costLimits.scryptWork, { cost: 'scryptWork' }),
    matches: async (password) =>
      timingSafeEqual(await scryptAsync(password, saltBytes, expected.length, options), expected),
  };
};

function requireBounds(N: number, r: number, p: number): void {
  if (N < 2 || r < 1 || p < 1) {
    throw new PasswordHashError({ key: 'scryptParameters', values: { ln: Math.log2(N), r, p } });
  }
  const memory = Math.ceil(memoryOf(N, r, p) / mebibyte);
  requireAtMost(memory, hashLimits.memoryMebibytes, 'scryptMemory');
}

function memoryOf(N: number, r: number, p: number): number {
  return 128 * r * (N + p);
}
