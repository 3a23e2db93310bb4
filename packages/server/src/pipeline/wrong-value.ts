import { ApiError } from '../api-error.ts';

/** Makes the error of a value that breaks a rule: "<name> must be <rule>". */
export function invalid(name: string, rule: string): ApiError {
  return new ApiError(1001, `${name} must be ${rule}`);
}

/** Names the type that was sent but never the value, which may be a password that lacks its quotes. */
export function ofOtherType(name: string, rule: string, value: unknown): ApiError {
  return invalid(name, `${rule}; it is ${typeOf(value)}`);
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  return typeof value === 'bigint' ? 'a number' : `a ${typeof value}`;
}
