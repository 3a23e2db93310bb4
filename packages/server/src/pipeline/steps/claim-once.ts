import { limits } from '@fieldroster/contract';
import type { ReplayRule } from '../../config.ts';
import type { AcceptanceClaim, Database } from '../../database/database.ts';
import { inSpan } from '../../tracing/trace.ts';
import type { Call } from '../call.ts';
import type { Caller } from './verify-signature.ts';

/** Dependencies of claims. */
export interface ClaimParts {
  readonly database: Database;
  readonly replay: ReplayRule;
}

/**
 * Claims the nonce of a read, under the rule `nonce` only.
 *
 * @throws what `Claims.make` throws
 */
export async function claimRead(call: Call, caller: Caller, { database, replay }: ClaimParts): Promise<void> {
  if (replay !== 'nonce' || call.operation.access !== 'read') return;
  const claim = { nonce: nonceOf(caller), ...idAndExpiry(call, caller) };
  await inSpan('claim nonce', {}, () => database.claims.make(claim));
}

/**
 * Returns the claim that a write makes in the transaction of its effect, so that it takes effect once; `undefined` for
 * a read and under the rule `off`.
 */
export function claimOfWrite(
  call: Call,
  caller: Caller,
  { replay }: ClaimParts,
): AcceptanceClaim | undefined {
  if (replay === 'off' || call.operation.access === 'read') return undefined;
  // After a restart under the rule `write`, a signature accepted under `nonce` must still be known.
  const signature = Buffer.from(caller.signature, 'base64');
  if (replay === 'nonce') return { signature, nonce: nonceOf(caller), ...idAndExpiry(call, caller) };
  return { signature, ...idAndExpiry(call, caller) };
}

function nonceOf({ application, nonce }: Caller) {
  return { appId: application.appId, value: nonce };
}

/** The claim expires once the timestamp alone is enough to refuse the request. */
function idAndExpiry({ requestId }: Call, { timestampSeconds }: Caller) {
  return { requestId, expiresAtSeconds: timestampSeconds + limits.timestampSkewSeconds };
}
