import assert from 'node:assert/strict';
import { mock } from 'node:test';
import type { Database } from '../src/database/database.ts';
import { currentDeadline, type Deadline } from '../src/time/deadline.ts';

/** Sends a call that writes once, and returns the deadline of its write. */
export async function deadlineOfWrite(
  database: Database,
  send: () => Promise<unknown>,
): Promise<Deadline | undefined> {
  const observed = await deadlinesOfWrites(database, send);
  assert.equal(observed.length, 1);
  return observed[0];
}

/**
 * Sends a call, and returns the deadline of each of its writes.
 *
 * @param meanwhile sends other calls, before the first write and after all that the call reads for it
 */
export async function deadlinesOfWrites(
  database: Database,
  send: () => Promise<unknown>,
  meanwhile: () => Promise<unknown> = async () => {},
): Promise<readonly (Deadline | undefined)[]> {
  const write = database.write.bind(database);
  const observed: (Deadline | undefined)[] = [];
  let isMeanwhile = false;
  const observing = mock.method(database, 'write', async (...given: Parameters<typeof write>) => {
    if (isMeanwhile) return write(...given);
    observed.push(currentDeadline());
    if (observed.length === 1) {
      isMeanwhile = true;
      await meanwhile();
      isMeanwhile = false;
    }
    return write(...given);
  });
  await send().finally(() => observing.mock.restore());
  return observed;
}
