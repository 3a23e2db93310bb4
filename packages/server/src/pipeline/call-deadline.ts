import type { Operation } from '@fieldroster/contract';
import { Deadline } from '../deadline.ts';

/** For a connection, for locks and for the answers of the database together, from the complete body on. */
const singleMs = 10_000;

/**
 * What a MiB of a bulk operation may take in addition. A body of 29 MiB that binds three million stores takes about
 * a second for each MiB on two idle cores; a busy machine may need several times as long.
 */
const perMebibyteMs = 8_000;

/** A smaller body of a bulk operation is no more work than that of any other. */
const bulkBytesMin = 16 * 1024;

const mebibyte = 1024 * 1024;

/**
 * How long a call may wait for the database: ten seconds, and for a bulk operation time for what its body holds, up
 * to 266 s at the limit of 32 MiB.
 */
export function deadlineOf({ bodyLimit }: Pick<Operation, 'bodyLimit'>, bodyBytes: number): Deadline {
  if (bodyLimit === undefined || bodyBytes < bulkBytesMin) return new Deadline(singleMs);
  return new Deadline(singleMs + Math.ceil(bodyBytes / mebibyte) * perMebibyteMs, { bulk: true });
}
