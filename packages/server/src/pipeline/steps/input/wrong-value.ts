import { quoteVisibly } from '../../../directory/quote-visibly.ts';
import { ApiError } from '../../../errors/api-error.ts';

/** Makes the error of a value that breaks a rule: "<name> must be <rule>". */
export function invalid(name: string, rule: string): ApiError {
  return new ApiError(1001, `${name} must be ${rule}`);
}

/** Names the type that was sent but never the value, which may be a password that lacks its quotes. */
export function ofOtherType(name: string, rule: string, value: unknown, advice = ''): ApiError {
  return invalid(name, `${rule}; it is ${typeOf(value)}${advice}`);
}

/** Names the type of a JSON value, with its article. */
export function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  return typeof value === 'bigint' ? 'a number' : `a ${typeof value}`;
}

const charactersShown = 50;

/** Quotes the beginning of a string that a caller sent, for a message. */
export function quoteShortly(text: string): string {
  return quoteVisibly(shorten(text));
}

/** Tells callers who send the ETag header as it is, or a number as a JSON string. */
export const quotesAdvice = ': send the digits without quotes';

/** Takes off the quotes that an ETag header has. */
export function unquoted(text: string): string {
  return text.length > 2 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text;
}

/** Cuts a text that a caller sent to the length that a message shows. */
export function shorten(text: string): string {
  return text.length > charactersShown ? `${text.slice(0, charactersShown)}…` : text;
}
