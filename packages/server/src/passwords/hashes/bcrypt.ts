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
    const values = { characters: text.length, needed: characters };
    throw new PasswordHashError({ key: 'bcryptForm', values });
  }
  const cost = Number(digits);
  return {
    outdated: true,
    relativeCost: 2 ** (cost - likeOneArgon2),
    ...checkCost(cost, costLimits.bcryptCost, { cost: 'bcryptCost', min: costMin }),
    passwordBytesMax,
    matches: (password) => compareByBcrypt(password, text),
  };
};
