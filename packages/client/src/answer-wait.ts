import { answerWait } from './generated/operations.ts';

const mebibyte = 1024 * 1024;

/** A UTF-16 code unit is at most this many bytes of UTF-8. */
const bytesPerUnitMax = 3;

/**
 * Returns the default time-out of an attempt, in milliseconds. A large body may wait for its turn, and takes time for its
 * size and for the passwords that the server must hash.
 */
export function defaultTimeoutMs(body: string | undefined, input: { readonly users?: unknown }): number {
  return answerWait.usualMs + sizeMs(body) + countPasswords(input.users) * answerWait.perPasswordMs;
}

function sizeMs(body = ''): number {
  if (body.length * bytesPerUnitMax < answerWait.largeBodyBytesMin) return 0;
  const bytes = new TextEncoder().encode(body).length;
  if (bytes < answerWait.largeBodyBytesMin) return 0;
  return answerWait.turnMs + Math.ceil(bytes / mebibyte) * answerWait.perMebibyteMs;
}

function countPasswords(users: unknown): number {
  if (!Array.isArray(users)) return 0;
  return users.filter((user) => (user?.password ?? null) !== null).length;
}
