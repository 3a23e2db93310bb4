import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { newChangeId } from './change-id.ts';

/** A change that was sent, and that the server has not said it made. */
interface SentChange {
  readonly changeId: string;
  readonly sentAtMs: number;
  /** Present while an answer may still come. */
  readonly answer?: Promise<unknown>;
}

/** Far less than the day for which the server knows a change again. */
const knownMs = 600_000;

/** By the digest of its content. */
export type SentChanges = Map<string, SentChange>;

/** Sends a change with its id. `isRepeated` says that the server may have made it before. */
export type SendChange = (changeId: string, isRepeated: boolean) => Promise<unknown>;

/**
 * Sends a change so that it takes effect once, however often somebody presses its button. The same change again waits
 * for the same answer, and goes out under the same id after a failure: its answer may have been lost before, by the
 * network or by the end of the session.
 *
 * @param content says what is changed; two changes with the same content are the same
 */
export function sendOnce(content: string, send: SendChange, sent = ofThisPage): Promise<unknown> {
  const key = digestOf(content);
  const before = sent.get(key);
  if (before?.answer !== undefined) return before.answer;
  const isRepeated = before !== undefined && Date.now() - before.sentAtMs < knownMs;
  const changeId = isRepeated ? before.changeId : newChangeId();
  const sentAtMs = Date.now();
  const answer = send(changeId, isRepeated).then(
    (data) => {
      forgetFailed(sent, key);
      return data;
    },
    (error: unknown) => {
      if (isTooOld(error)) sent.delete(key);
      else sent.set(key, { changeId, sentAtMs });
      throw error;
    },
  );
  sent.set(key, { changeId, sentAtMs, answer });
  return answer;
}

const ofThisPage: SentChanges = new Map();

/**
 * Identifies the content without keeping it, because it may hold a password and the key outlives the form.
 * `crypto.subtle` does not exist on pages that came over plain HTTP.
 */
function digestOf(content: string): string {
  return bytesToHex(sha256(utf8ToBytes(content)));
}

/** After another change, the same content may be a new wish: to do again what that change has undone. */
function forgetFailed(sent: SentChanges, done: string): void {
  for (const [key, { answer }] of sent) if (key === done || answer === undefined) sent.delete(key);
}

/** The server refuses the id itself. */
function isTooOld(error: unknown): boolean {
  return (error as { readonly code?: number }).code === 1012;
}
