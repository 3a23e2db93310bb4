import type { Operation } from '@fieldroster/contract';
import { Deadline } from '../deadline.ts';

/** For a connection, for a lock and for the answers of the database together, from the complete body on. */
const singleMs = 10_000;

/** What a MiB of a bulk operation may take in addition. */
const perMebibyteMs = 2_000;

const mebibyte = 1024 * 1024;

/**
 * How long a call may wait for the database. A bulk operation gets time for what its body holds: 74 s at its limit
 * of 32 MiB.
 */
export function deadlineOf({ bodyLimit }: Operation, bodyBytes: number): Deadline {
  const mebibytes = bodyLimit === undefined ? 0 : Math.ceil(bodyBytes / mebibyte);
  return new Deadline(singleMs + mebibytes * perMebibyteMs);
}
