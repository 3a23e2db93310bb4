import { limits } from '@fieldroster/contract';
import type { ReplayRule } from '../config.ts';
import type { AcceptanceClaim, Claims } from '../database/database.ts';
import type { Caller } from './verify-signature.ts';

/** What a write must claim in its own transaction, so that it takes effect once. */
export function claimOfWrite(
  caller: Caller,
  rule: ReplayRule,
  requestId: string,
): AcceptanceClaim | undefined {
  if (rule === 'off') return undefined;
  return {
    // The signature too under the stricter rule: a restart under the other one must still know it.
    signature: Buffer.from(caller.signature, 'base64'),
    ...(rule === 'nonce' && { nonce: nonceOf(caller) }),
    requestId,
    expiresAtSeconds: expiryOf(caller),
  };
}

/** Under the strictest rule a read uses up its nonce as well. Throws what `Claims.make` throws. */
export async function claimNonceOfRead(
  caller: Caller,
  rule: ReplayRule,
  requestId: string,
  claims: Claims,
): Promise<void> {
  if (rule !== 'nonce') return;
  await claims.make({ nonce: nonceOf(caller), requestId, expiresAtSeconds: expiryOf(caller) });
}

function nonceOf({ application, nonce }: Caller) {
  return { appId: application.appId, value: nonce };
}

/** From then on the timestamp alone refuses the request. */
function expiryOf({ timestampSeconds }: Caller): number {
  return timestampSeconds + limits.timestampSkewSeconds;
}
