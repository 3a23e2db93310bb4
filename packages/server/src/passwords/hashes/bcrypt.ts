import { compareByBcrypt } from './bcrypt-thread.ts';
import { checkCost, costLimits } from './hash-limits.ts';
import { PasswordHashError, type PasswordHashReader } from './password-hash.ts';

/** Kind, cost, salt and hash. */
const characters = 60;

const form = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/;

/** bcrypt ignores the bytes after these. Systems that made such hashes accept any ending, and so does this one. */
const passwordBytesMax = 72;

const costMin = 4;

/** The bcrypt cost whose check takes about as long as one of a new hash. */
const likeOneArgon2 = 8;

/** Rejects `$2x$`, which marks hashes of an implementation that mishandled non-ASCII characters. */
export const readBcrypt: PasswordHashReader = (text) => {
  if (!text.startsWith('$2')) return undefined;
  const [, digits] = form.exec(text) ?? [];
  if (digits === undefined) {
    throw new PasswordHashError(
      `bcrypt must be written as $2b$, $2a$ or $2y$, two digits of cost, $, and 53 letters, digits, dots or slashes; this one has ${text.length} characters, and must have ${characters}`,
    );
  }
  const cost = Number(digits);
  if (cost < costMin)
    throw new PasswordHashError(`the cost of bcrypt is ${cost}; it must be at least ${costMin}`);
  return {
    outdated: true,
    relativeCost: 2 ** (cost - likeOneArgon2),
    ...checkCost(cost, costLimits.bcryptCost, 'the cost of bcrypt'),
    passwordBytesMax,
    matches: (password) => compareByBcrypt(password, text),
  };
};
