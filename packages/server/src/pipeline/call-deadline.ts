import type { Operation } from '@fieldroster/contract';
import { Deadline } from '../time/deadline.ts';

/** Total wait for a connection, locks and the database's answers, counted from the complete body. */
const singleMs = 10_000;

/**
 * Additional time per MiB of a large body. A 29 MiB body that binds three million stores takes about a second per MiB
 * on two idle cores; a busy machine may need several times as long.
 */
const perMebibyteMs = 8_000;

/** For a call that may change thousands of rows: removing a store unbinds its users. */
const manyMs = 120_000;

/** Smaller bodies of bulk operations are no more work than those of other operations. */
const bulkBytesMin = 16 * 1024;

/** A bulk body costs one round among the waiting applications for each of this many bytes. */
const costedBytes = 4 * 1024;

const mebibyte = 1024 * 1024;

/**
 * Returns how long a call may wait for the database: ten seconds, plus time for the size of a batch or bulk body, which
 * makes 266 s for 32 MiB; two minutes for one that may change many rows.
 *
 * @param owner the APPID of the caller
 */
export function deadlineOf(
  { bodyLimit, mayChangeMany }: Pick<Operation, 'bodyLimit' | 'mayChangeMany'>,
  bodyBytes: number,
  owner: string,
): Deadline {
  if (mayChangeMany) return new Deadline(manyMs, { bulk: true, owner });
  if (bodyLimit === undefined || bodyBytes < bulkBytesMin) return new Deadline(singleMs, { owner });
  const totalMs = singleMs + Math.ceil(bodyBytes / mebibyte) * perMebibyteMs;
  return new Deadline(totalMs, { bulk: true, owner, cost: Math.ceil(bodyBytes / costedBytes) });
}
