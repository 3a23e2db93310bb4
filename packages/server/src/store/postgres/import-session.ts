import { sql } from 'kysely';
import type { ImportSession } from '../kysely/importer.ts';
import { openUnhurriedSession } from './open.ts';
import { commit } from './run-transaction.ts';

/** Opens a connection for one import: the pool has exactly one, so that temporary tables stay in reach. */
export function openImportSession(url: string, connectTimeoutMs: number, now: () => number): ImportSession {
  const session = openUnhurriedSession(url, connectTimeoutMs);
  return {
    session,
    now,
    async transact(work) {
      await sql`begin`.execute(session.db);
      try {
        const result = await work();
        await commit(session.db);
        return result;
      } catch (error) {
        await sql`rollback`.execute(session.db).catch(() => {});
        throw error;
      }
    },
    close: () => session.db.destroy(),
  };
}
