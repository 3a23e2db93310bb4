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
 * that says that the outcome is unknown. Any other answer is an error, and so is a proof that an attempt answered with
 * 503 was applied.
 */
export class RetryingClient {
  /** The answers that asked for a retry. */
  readonly unavailable: Answer[] = [];
  /** How connections broke before the answer. */
  readonly broken: string[] = [];
  /** The answers that left the outcome unknown. */
  readonly unknown: Answer[] = [];
  /** Writes that a replay proved to be applied, after an attempt without an answer or with an unknown outcome. */
  provenByReplay = 0;
  readonly #client: SignedClient;

  constructor(client: SignedClient) {
    this.#client = client;
  }

  /** Resolves once the write is known to be applied. */
  async send(call: SignedCall): Promise<Envelope> {
    const giveUpAt = performance.now() + giveUpAfterMs;
    let mayBeApplied = false;
    while (performance.now() < giveUpAt) {
      const outcome = await this.#try(call);
      if (outcome === 'unknown') mayBeApplied = true;
      else if (outcome !== 'unavailable') {
        if (outcome.code === 0) return outcome;
        const sent = `${call.method} ${call.target} ${call.body}: ${JSON.stringify(outcome)}`;
        assert.equal(outcome.code, 1015, sent);
        assert(mayBeApplied, `it was applied before, although no attempt had an unknown outcome: ${sent}`);
        this.provenByReplay += 1;
        return outcome;
      }
      await delay(pauseMs);
    }
    const answers = [...this.unknown, ...this.unavailable].map(({ text }) => text);
    const met = [...this.broken, ...answers].slice(-20).join('\n');
    throw new Error(
      `${call.method} ${call.target} was not accepted in ${giveUpAfterMs} ms; the last:\n${met}`,
    );
  }

  async #try(call: SignedCall): Promise<Envelope | 'unavailable' | 'unknown'> {
    try {
      const answer = await this.#client.exchange(call);
      if (!leavesOutcomeUnknown(answer) && answer.status !== 503) return answer.envelope;
      const outcome = answer.status === 503 ? 'unavailable' : 'unknown';
      this[outcome].push(answer);
      return outcome;
    } catch (error) {
      if (!(error instanceof NoAnswerError)) throw error;
      this.broken.push(error.message);
      return 'unknown';
    }
  }
}

/** Means that the database was unavailable for too long after the server had sent COMMIT. */
function leavesOutcomeUnknown({ envelope }: Answer): boolean {
  return envelope.code === 1500 && envelope.message.startsWith('the outcome is unknown');
}
