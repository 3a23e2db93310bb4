import type { Session } from '../queries/session.ts';
import { findLockHolders } from './lock-holders.ts';
import type { Notice } from './primary-hosts.ts';

export interface AnnounceLocksOptions {
  /** Opens another connection to the database. */
  readonly openSession: () => Session;
  readonly notice: Notice;
  /** How long the work may take before the first message, and between two of them, in milliseconds. */
  readonly everyMs?: number;
}

/**
 * Does work that waits without a limit for the locks of other sessions, such as those of another node that is changing
 * the tables, and logs which sessions hold it up.
 */
export async function announceLocks<T>(work: () => Promise<T>, options: AnnounceLocksOptions): Promise<T> {
  const { notice, everyMs = 10_000 } = options;
  let announcing: Promise<void> | undefined;
  const timer = setInterval(() => {
    announcing ??= announce(options, everyMs / 2)
      .catch((error) => notice({ cause: String(error) }, 'what the work on the tables waits for is unknown'))
      .finally(() => {
        announcing = undefined;
      });
  }, everyMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    await announcing;
  }
}

/** @param longMs how long a session must have waited, in milliseconds */
async function announce({ openSession, notice }: AnnounceLocksOptions, longMs: number): Promise<void> {
  const session = openSession();
  try {
    for (const { who, doing, holdsUp, advice } of await findLockHolders(session, longMs)) {
      if (holdsUp === undefined) continue;
      const found = `${who} holds up ${holdsUp}: it ${doing}`;
      notice({}, `waiting for a lock: ${found}; unless that is a node that changes the tables, ${advice}`);
    }
  } finally {
    await session.db.destroy();
  }
}
