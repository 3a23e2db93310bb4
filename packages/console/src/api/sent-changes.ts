import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { newChangeId } from './change-id.ts';
import { CallError } from './exchange.ts';

/** A change that was sent, and that the server has not said it made. */
interface SentChange {
  readonly changeId: string;
  /** When it was sent first. */
  readonly sentAtMs: number;
  /** Present while an answer may still come. */
  readonly answer?: Promise<unknown>;
}

/**
 * How long the same content is the same change. After a minute, the server refuses the id, so that somebody checks
 * whether the change took effect.
 */
const knownMs = 600_000;

/** By the digest of its content. */
export type SentChanges = Map<string, SentChange>;

/** Sends a change with its id. `isRepeated` says that the server may have made it before. */
export type SendChange = (changeId: string, isRepeated: boolean) => Promise<unknown>;

/**
 * Sends a change so that it takes effect once, however often somebody presses its button. The same change again waits
 * for the same answer. It goes out under the same id if an answer to it was lost, whatever came after that, and under a
 * new one if the server has refused it.
 *
 * @param content says what is changed; two changes with the same content are the same
 */
export function sendOnce(content: string, send: SendChange, sent = ofThisPage): Promise<unknown> {
  const key = digestOf(content);
  const before = sent.get(key);
  if (before?.answer !== undefined) return before.answer;
  const isRepeated = before !== undefined && Date.now() - before.sentAtMs < knownMs;
  const { changeId, sentAtMs } = isRepeated ? before : { changeId: newChangeId(), sentAtMs: Date.now() };
  const answer = send(changeId, isRepeated).then(
    (data) => {
      forgetFailed(sent, key);
      return data;
    },
    (error: unknown) => {
      if (isTooOld(error) || isRefused(error)) sent.delete(key);
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

/** After another change, the same content may be sent on purpose, to redo what that change has undone. */
function forgetFailed(sent: SentChanges, done: string): void {
  for (const [key, { answer }] of sent) if (key === done || answer === undefined) sent.delete(key);
}

/** The server refuses the id itself. */
function isTooOld(error: unknown): boolean {
  return error instanceof CallError && error.code === 1012;
}

/** The server has not made the change. After an internal error or a lost answer, nobody knows. */
function isRefused(error: unknown): boolean {
  return error instanceof CallError && error.code !== 1500 && !error.followsLostAnswer;
}
