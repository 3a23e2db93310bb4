import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type Answer,
  type Envelope,
  NoAnswerError,
  type SignedCall,
  type SignedClient,
} from './signed-client.ts';

/** Longer than any outage of these tests, but shorter than the validity of a signed request. */
const giveUpAfterMs = 40_000;

const pauseMs = 50;

/**
 * Resends a signed write unchanged until its outcome is known: after no answer, after 503, and after a 1500
 * that says that the outcome is unknown. Any other answer is an error.
 */
export class RetryingClient {
  /** The answers that asked for a retry. */
  readonly unavailable: Answer[] = [];
  /** How connections broke before the answer. */
  readonly broken: string[] = [];
  /** Writes whose first answer did not arrive, and that a replay proved to be applied. */
  provenByReplay = 0;
  readonly #client: SignedClient;

  constructor(client: SignedClient) {
    this.#client = client;
  }

  /** Resolves once the write is known to be applied. */
  async send(call: SignedCall): Promise<Envelope> {
    const giveUpAt = performance.now() + giveUpAfterMs;
    for (let attempt = 1; performance.now() < giveUpAt; attempt++) {
      const envelope = await this.#try(call);
      if (envelope?.code === 0) return envelope;
      if (envelope?.code === 1015 && attempt > 1) {
        this.provenByReplay += 1;
        return envelope;
      }
      assert.equal(envelope, undefined, `${call.method} ${call.target} ${call.body}, attempt ${attempt}`);
      await delay(pauseMs);
    }
    const met = [...this.broken, ...this.unavailable.map(({ text }) => text)].slice(-20).join('\n');
    throw new Error(
      `${call.method} ${call.target} was not accepted in ${giveUpAfterMs} ms; the last:\n${met}`,
    );
  }

  async #try(call: SignedCall): Promise<Envelope | undefined> {
    try {
      const answer = await this.#client.exchange(call);
      if (leavesOutcomeUnknown(answer)) return undefined;
      if (answer.status !== 503) return answer.envelope;
      this.unavailable.push(answer);
    } catch (error) {
      if (!(error instanceof NoAnswerError)) throw error;
      this.broken.push(error.message);
    }
    return undefined;
  }
}

/** Means that the database was unavailable for too long after the server had sent COMMIT. */
function leavesOutcomeUnknown({ envelope }: Answer): boolean {
  return envelope.code === 1500 && envelope.message.startsWith('the outcome is unknown');
}
