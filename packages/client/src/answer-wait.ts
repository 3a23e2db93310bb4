import { answerWait } from './generated/operations.ts';

const mebibyte = 1024 * 1024;

/** A UTF-16 code unit is at most this many bytes of UTF-8. */
const bytesPerUnitMax = 3;

/**
 * Returns the default time-out of an attempt, in milliseconds. A large body may wait for its turn, and takes time for its
 * size and for the passwords that the server must hash. A forced removal takes time for what it unbinds.
 */
export function defaultTimeoutMs(
  body: string | undefined,
  { users, force }: { readonly users?: unknown; readonly force?: unknown },
): number {
  const rowsMs = force === true ? answerWait.manyRowsMs : 0;
  return answerWait.usualMs + rowsMs + sizeMs(body) + countPasswords(users) * answerWait.perPasswordMs;
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
