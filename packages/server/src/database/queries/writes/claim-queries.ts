import {
  type AcceptanceClaim,
  AlreadyAcceptedError,
  ClaimsPurgedError,
  NonceUsedError,
} from '../../claims.ts';
import { raiseCounter } from '../counters.ts';
import type { Session } from '../session.ts';
import { insertAcceptedNonce, insertAcceptedWrite } from './write-queries.ts';

/*
 * A signed request takes effect at most once, even with wrong clocks.
 *
 * Let P be the counter `purged_through`, and e the expiry of a request, which its signature covers.
 *
 *   (1) A write takes effect only in a transaction that inserted its claim as a new row and then read e > P,
 *       in a snapshot taken after the insert (`makeClaim`).
 *   (2) Only a purge deletes a claim, in a transaction that first raised P to at least the claim's expiry
 *       (`purgeClaims`). Only the operator's `claims reset` lowers P.
 *
 * Proof. Suppose that two transactions, A and B, both apply the same request, and that A inserted its claim first. The
 * key of claims is unique, so B's insert waits for A to end and is refused if A's row still exists. It was not refused,
 * so a purge had deleted A's row and committed before B's insert went through. By (2) that purge left P >= e. B read P
 * after its insert, so it saw that purge and found e <= P. By (1) B was not applied: a contradiction.
 *
 * No step mentions a clock. A clock only decides what a purge deletes, and so from which expiry on a request is refused
 * because it cannot be known to be new. A purge needs no lock against writes either: a write that read e > P just
 * before P was raised keeps its row, which answers its copies until a later purge deletes it.
 */

/**
 * @throws {AlreadyAcceptedError} when the claim was made before; {@link NonceUsedError} if only its nonce was
 * @throws {ClaimsPurgedError} when it may have been made before, and purged
 */
export async function makeClaim(session: Session, claim: AcceptanceClaim): Promise<void> {
  const { signature, nonce, requestId, expiresAtSeconds } = claim;
  const row = { expires_at_seconds: BigInt(expiresAtSeconds), request_id: requestId };
  // Send both before the first statement of the work: if a statement between them failed, the second one would fail
  // too, without saying why.
  const [bySignature, byNonce] = await Promise.all([
    signature && insertAcceptedWrite(session, { ...row, signature }),
    nonce && insertAcceptedNonce(session, { ...row, app_id: nonce.appId, nonce: nonce.value }),
  ]);
  if (bySignature) {
    requireNew(bySignature, expiresAtSeconds, acceptedBefore);
  }
  if (byNonce)
    requireNew(byNonce, expiresAtSeconds, () => new NonceUsedError('this nonce was accepted before'));
}

/** @throws {AlreadyAcceptedError} when the claim exists */
export async function requireNotMade(session: Session, claim: AcceptanceClaim): Promise<void> {
  if ((await findClaimant(session, claim)) !== undefined) throw acceptedBefore();
}

function acceptedBefore(): AlreadyAcceptedError {
  return new AlreadyAcceptedError('this signature was accepted before');
}

/** Fate of a transaction whose commit was not answered, judged by its claim. */
export type ClaimFate =
  /** The transaction was committed. */
  | 'committed'
  /** Another transaction applied the same signed request. */
  | 'committed by another'
  /** The transaction was rolled back, and can no longer commit. */
  | 'rolled back'
  /** The claim may have been purged since. */
  | 'unknown';

/**
 * Determines the fate by making the claim again, which the caller rolls back. The insert waits until the transaction in
 * question can no longer commit.
 */
export async function tryClaimAgain(session: Session, claim: AcceptanceClaim): Promise<ClaimFate> {
  // Only the signature decides, because another request may have used the nonce since.
  const { nonce: _, ...ofSignature } = claim;
  try {
    await makeClaim(session, claim.signature === undefined ? claim : ofSignature);
    return 'rolled back';
  } catch (error) {
    if (error instanceof ClaimsPurgedError) return 'unknown';
    if (!(error instanceof AlreadyAcceptedError)) throw error;
  }
  const requestId = await findClaimant(session, claim);
  if (requestId === undefined) return 'unknown';
  return requestId === claim.requestId ? 'committed' : 'committed by another';
}

async function findClaimant({ db }: Session, claim: AcceptanceClaim): Promise<string | undefined> {
  const { signature, nonce, expiresAtSeconds } = claim;
  const query =
    signature === undefined
      ? db
          .selectFrom('accepted_nonce')
          .select('request_id')
          .where('app_id', '=', nonce?.appId ?? '')
          .where('nonce', '=', nonce?.value ?? '')
      : db
          .selectFrom('accepted_write')
          .select('request_id')
          .where('expires_at_seconds', '=', BigInt(expiresAtSeconds))
          .where('signature', '=', signature);
  return (await query.executeTakeFirst())?.request_id;
}

/** Throws unless the claim is new. An existing claim counts first: its request took effect, however old it is. */
function requireNew(
  [made]: readonly { purged_through: bigint }[],
  expiresAtSeconds: number,
  refusal: () => AlreadyAcceptedError,
): void {
  if (made === undefined) throw refusal();
  const purgedThroughSeconds = Number(made.purged_through);
  if (expiresAtSeconds <= purgedThroughSeconds) {
    throw new ClaimsPurgedError(expiresAtSeconds, purgedThroughSeconds);
  }
}

/** Claims of each kind per purge, plus the rest of the last second; a purge must not keep others waiting. */
const purgedAtOnce = 5_000;

export const claimTables = ['accepted_write', 'accepted_nonce'] as const;

export type ClaimTable = (typeof claimTables)[number];

/** Returns how many claims were deleted. */
export async function purgeClaims(session: Session, expiredBeforeSeconds: number): Promise<number> {
  let purged = 0;
  for (const table of claimTables) {
    const through = await lastToPurge(session, table, BigInt(expiredBeforeSeconds));
    if (through === undefined) continue;
    await raiseCounter(session, 'purged_through', through);
    purged += await deleteThrough(session, table, through);
  }
  return purged;
}

/** Returns the expiry up to which claims are deleted; `undefined` when none has expired. */
async function lastToPurge({ db }: Session, table: ClaimTable, before: bigint): Promise<bigint | undefined> {
  const oldest = db
    .selectFrom(table)
    .select('expires_at_seconds')
    .where('expires_at_seconds', '<', before)
    .orderBy('expires_at_seconds')
    .limit(purgedAtOnce);
  const row = await db
    .selectFrom(oldest.as('oldest'))
    .select(({ fn }) => fn.max<bigint | null>('expires_at_seconds').as('through'))
    .executeTakeFirst();
  return row?.through ?? undefined;
}

async function deleteThrough({ db }: Session, table: ClaimTable, through: bigint): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom(table)
    .where('expires_at_seconds', '<=', through)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
