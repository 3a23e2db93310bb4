import type { Operation } from '@fieldroster/contract';
import { ExpectedError } from '../errors/expected-error.ts';
import { currentDeadline, Deadline, runUnderDeadline } from '../time/deadline.ts';

/** Total wait for a connection, locks and the database's answers, counted from the complete body. */
const singleMs = 10_000;

/**
 * Additional time per MiB of a large body. A 29 MiB body that binds three million stores takes about a second per MiB
 * on two idle cores; a busy machine may need several times as long.
 */
const perMebibyteMs = 8_000;

/** Smaller bodies of bulk operations are no more work than those of other operations. */
const bulkBytesMin = 16 * 1024;

/** A bulk body costs one round among the waiting applications for each of this many bytes. */
const costedBytes = 4 * 1024;

/** A write of more rows than this is bulk, although its request was small: removing a store unbinds its users. */
const smallRowsMax = 200;

/** Additional time for each of its rows. Unbinding 50,000 users takes half a second on an idle machine. */
const perRowMs = 2;

/** Such a write costs one round for each of this many rows, about as many as 4 KiB of a batch have. */
const costedRows = 50;

const mebibyte = 1024 * 1024;

/**
 * Returns how long a call may wait for the database: ten seconds, plus time for the size of a batch or bulk body, which
 * makes 266 s for 32 MiB.
 *
 * @param owner the APPID of the caller
 */
export function deadlineOf(
  { bodyLimit }: Pick<Operation, 'bodyLimit'>,
  bodyBytes: number,
  owner: string,
): Deadline {
  if (bodyLimit === undefined || bodyBytes < bulkBytesMin) return new Deadline(singleMs, { owner });
  const totalMs = singleMs + Math.ceil(bodyBytes / mebibyte) * perMebibyteMs;
  const cost = Math.ceil(bodyBytes / costedBytes);
  return new Deadline(totalMs, { bulk: true, patient: true, owner, cost });
}

/** Returns how long the next part of an answer may wait for the database. Refusing it would waste the parts before it. */
export function deadlineOfNextPart(owner: string): Deadline {
  return new Deadline(singleMs, { patient: true, owner });
}

/** Ends a write that has too little time for the rows that it found, so that it is undone and begins again. */
class MoreRowsError extends ExpectedError {
  readonly rows: number;

  constructor(rows: number) {
    super(`the write needs time for ${rows} rows`);
    this.rows = rows;
  }
}

/**
 * Runs a write of the current call. If it changes many rows, it gets more time for them, and no other write waits for all
 * of it. It is refused under overload like any other, because its request is quickly sent again.
 *
 * @param rows how many rows it changes, as counted before it waits
 * @param work must call `requireTimeFor` with the rows that it finds, before it changes any, unless the request names them
 * all: other writes may have added some while it waited. If they have more than doubled, it is run again with time for them.
 */
export async function runWithTimeFor<T>(
  rows: number,
  work: (requireTimeFor: (found: number) => void) => Promise<T>,
): Promise<T> {
  const requireTimeFor = (found: number) => {
    if (found > Math.max(smallRowsMax, 2 * rows)) throw new MoreRowsError(found);
  };
  try {
    return await runAnnounced(rows, () => work(requireTimeFor));
  } catch (error) {
    if (!(error instanceof MoreRowsError)) throw error;
    return runWithTimeFor(error.rows, work);
  }
}

function runAnnounced<T>(rows: number, work: () => Promise<T>): Promise<T> {
  const deadline = currentDeadline();
  if (deadline === undefined || rows <= smallRowsMax) return work();
  return runUnderDeadline(deadline.extendedForBulk(rows * perRowMs, Math.ceil(rows / costedRows)), work);
}
