import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { type Argon2Cost, currentCost } from './argon2-cost.ts';
import { checkCost, costLimits, hashLimits, requireAtMost } from './hash-limits.ts';
import { PasswordHashError, type PasswordHashReader } from './password-hash.ts';
import { decodeSalt, decodeTag, encodePhcBase64 } from './phc-base64.ts';

const argon2Async = promisify(argon2);

const newSaltBytes = 16;
const newTagBytes = 32;

/** Hashes a new password; returns the PHC string. */
export async function hashByArgon2(password: string, cost = currentCost): Promise<string> {
  const nonce = randomBytes(newSaltBytes);
  const parameters = { message: password, nonce, ...cost, tagLength: newTagBytes };
  return write(cost, nonce, await argon2Async('argon2id', parameters));
}

/** Makes a decoy hash: no password matches it, and checking it takes as long as a real one. */
export function makeDecoyHash(cost = currentCost): string {
  return write(cost, randomBytes(newSaltBytes), randomBytes(newTagBytes));
}

function write({ memory, passes, parallelism }: Argon2Cost, nonce: Buffer, tag: Buffer): string {
  const cost = `m=${memory},t=${passes},p=${parallelism}`;
  return `$argon2id$v=19$${cost}$${encodePhcBase64(nonce)}$${encodePhcBase64(tag)}`;
}

const form = /^\$(argon2id?)\$v=19\$m=(\d{1,9}),t=(\d{1,9}),p=(\d{1,9})\$([^$]+)\$([^$]+)$/;

/** Source: RFC 9106, and the PHC string format. */
export const readArgon2: PasswordHashReader = (text, newCost) => {
  if (!text.startsWith('$argon2')) return undefined;
  const [, kind, memory, passes, parallelism, salt = '', tag = ''] = form.exec(text) ?? [];
  if (kind === undefined) {
    throw new PasswordHashError({ key: 'argon2Form', values: {} });
  }
  const algorithm = kind as 'argon2id' | 'argon2i';
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  requireBounds(cost);
  const [nonce, expected] = [decodeSalt(salt), decodeTag(tag)];
  const parameters = { nonce, ...cost, tagLength: expected.length };
  const work = cost.memory * cost.passes;
  return {
    outdated: algorithm !== 'argon2id' || isWeaker(cost, newCost),
    relativeCost: work / (currentCost.memory * currentCost.passes),
    memoryBytes: cost.memory * 1024,
    ...checkCost(work, costLimits.argon2Work, { cost: 'argon2Work' }),
    matches: async (password) =>
      timingSafeEqual(await argon2Async(algorithm, { message: password, ...parameters }), expected),
  };
};

function requireBounds({ memory, passes, parallelism }: Argon2Cost): void {
  requireAtMost(memory, hashLimits.memoryMebibytes * 1024, 'argon2Memory');
  requireAtMost(passes, hashLimits.argon2Passes, 'argon2Passes');
  requireAtMost(parallelism, hashLimits.argon2Lanes, 'argon2Lanes');
  if (memory >= 8 * parallelism) return;
  throw new PasswordHashError({ key: 'littleMemory', values: { m: memory, p: parallelism } });
}

function isWeaker({ memory, passes }: Argon2Cost, newCost: Argon2Cost): boolean {
  return memory < newCost.memory || passes < newCost.passes;
}
