import assert from 'node:assert/strict';
import { mock } from 'node:test';
import type { Database } from '../src/database/database.ts';
import { currentDeadline, type Deadline } from '../src/time/deadline.ts';

/** Sends a call that writes once, and returns the deadline of its write. */
export async function deadlineOfWrite(
  database: Database,
  send: () => Promise<unknown>,
): Promise<Deadline | undefined> {
  const write = database.write.bind(database);
  const observed: (Deadline | undefined)[] = [];
  const observing = mock.method(database, 'write', (...given: Parameters<typeof write>) => {
    observed.push(currentDeadline());
    return write(...given);
  });
  await send().finally(() => observing.mock.restore());
  assert.equal(observed.length, 1);
  return observed[0];
}
