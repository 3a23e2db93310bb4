import { compareByBcrypt } from './bcrypt-thread.ts';
import { hashLimits } from './hash-limits.ts';
import { PasswordHashError, type PasswordHashReader } from './password-hash.ts';

const form = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/;

/**
 * Of a password only the first 72 bytes count, as everywhere bcrypt is used; the hash that replaces it
 * after the first successful check has no such end.
 */
export const readBcrypt: PasswordHashReader = (text) => {
  if (!text.startsWith('$2')) return undefined;
  const [, cost] = form.exec(text) ?? [];
  if (cost === undefined) {
    throw new PasswordHashError('bcrypt must be written as $2b$, $2a$ or $2y$, its cost and 53 characters');
  }
  if (Number(cost) < 4 || Number(cost) > hashLimits.bcryptCost) {
    throw new PasswordHashError(`the cost of bcrypt must be from 4 to ${hashLimits.bcryptCost}`);
  }
  return { outdated: true, matches: (password) => compareByBcrypt(password, text) };
};
