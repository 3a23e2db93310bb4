import { isRunning } from '../../applications/process-place.ts';
import type { CopySession } from '../../database/copy-session.ts';
import { selectHolders } from '../../database/queries/settings/keys.ts';
import { AdminError } from '../admin-error.ts';

/**
 * Refuses a database on which servers run, by their reports in it. A restored database may hold the reports of the
 * moment that it shows, which count for two and a half minutes.
 *
 * @throws {AdminError}
 */
export async function requireStoppedServers({ session, location, timeMs }: CopySession): Promise<void> {
  const nowMs = await timeMs();
  const running = (await selectHolders(session)).filter((holder) => isRunning(holder, nowMs));
  const [first] = running;
  if (first === undefined) return;
  const more = running.length - 1;
  const [run, them] = more === 0 ? ['runs', 'it'] : [`and ${more} more run`, 'them'];
  throw new AdminError(
    `process ${first.pid} on ${first.host} ${run} on ${location}, and might accept a write again: stop ${them}, or ` +
      'wait three minutes if nothing runs there and the report was restored too; then try again',
  );
}
