import { Type } from 'typebox';
import { consoleLimits } from './console-limits.ts';

/** A password that an operator chooses. */
export const newPassword = Type.String({
  minLength: consoleLimits.operatorPasswordCharactersMin,
  maxLength: consoleLimits.operatorPasswordCharactersMax,
  description: 'Password; stored as an argon2id hash only',
});

/** A password that an operator already has. It confirms changes that nobody else at the same browser may make. */
export const password = Type.String({
  maxLength: consoleLimits.operatorPasswordCharactersMax,
  description: 'Password of the operator who calls',
});
