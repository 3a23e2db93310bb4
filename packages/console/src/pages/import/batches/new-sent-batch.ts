import { newChangeId } from '../../../api/change-id.ts';
import { serverNow } from '../../../api/server-clock.ts';
import type { SentBatch } from '../job/import-job.ts';

/** The change was made before; its claim proves it. */
export const alreadyApplied = 1015;

/** The change is too old for the server to know whether it is new. */
export const tooOld = 1012;

/** Returns what identifies a batch that is sent for the first time. */
export function newSentBatch(): SentBatch {
  // The time is compared with times of the audit trail, and the browser's clock may be wrong.
  return { changeId: newChangeId(), startedAtMs: serverNow() };
}
