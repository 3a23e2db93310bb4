import { limits } from '@fieldroster/contract';
import type { ReplayRule } from '../config.ts';
import { type AcceptanceClaim, type Store, StoreBusyError } from '../store/store.ts';
import type { Caller } from './verify-signature.ts';

/**
 * How long after its timestamp's end a request may still come to its write, in seconds. A copy of it may have
 * made its claim long before, and claims are forgotten soon after.
 */
const latenessSeconds = 60;

/**
 * What a write must claim in its own transaction, so that it takes effect once.
 *
 * @throws {StoreBusyError} when the request took so long that its claim would prove nothing
 */
export function claimOfWrite(caller: Caller, rule: ReplayRule, nowMs: number): AcceptanceClaim | undefined {
  if (rule === 'off') return undefined;
  if (nowMs / 1000 > expiryOf(caller) + latenessSeconds) {
    throw new StoreBusyError('the request waited for longer than its signature is good for');
  }
  return {
    // The signature too under the stricter rule: a restart under the other one must still know it.
    signature: Buffer.from(caller.signature, 'base64'),
    ...(rule === 'nonce' && { nonce: nonceOf(caller) }),
    expiresAtSeconds: expiryOf(caller),
  };
}

/** Under the strictest rule a read uses up its nonce as well. Throws `AlreadyAcceptedError`. */
export async function claimNonceOfRead(caller: Caller, rule: ReplayRule, store: Store): Promise<void> {
  if (rule === 'nonce') await store.claim({ nonce: nonceOf(caller), expiresAtSeconds: expiryOf(caller) });
}

function nonceOf({ application, nonce }: Caller) {
  return { appId: application.appId, value: nonce };
}

/** From then on the timestamp alone refuses the request. */
function expiryOf({ timestampSeconds }: Caller): number {
  return timestampSeconds + limits.timestampSkewSeconds;
}
