import { raiseCounter } from '../counters.ts';
import type { Session } from '../session.ts';

/** Ids that may have been given out after the backup, and that no other user may get. */
const skippedUserIds = 1_000_000n;

/**
 * Records what a restored database cannot know: which signed writes were accepted, and which ids were given out, after
 * the moment that it shows.
 *
 * @param unknownThroughSeconds claims that expire no later are refused, as if they had been purged
 */
export async function skipPastBackup(session: Session, unknownThroughSeconds: number): Promise<void> {
  const { db, engine } = session;
  await raiseCounter(session, 'purged_through', BigInt(unknownThroughSeconds));
  await engine.setLastUserId(db, (await engine.lastUserId(db)) + skippedUserIds);
}
