import { isRunning } from '../../applications/process-place.ts';
import type { CopySession } from '../../database/copy-session.ts';
import { selectHolders } from '../../database/queries/settings/keys.ts';
import { AdminError } from '../admin-error.ts';

/**
 * Refuses a restored database on which servers run, by their reports in it. Reports from the time of the backup are
 * restored too, and count for two and a half minutes.
 *
 * @throws {AdminError}
 */
export async function requireStoppedServers(opened: CopySession): Promise<void> {
  const found = await findRunningServers(opened);
  if (found === undefined) return;
  throw new AdminError(
    `${found.subject} on ${opened.location}, and might accept a write again: stop ${found.them}, or ` +
      'wait three minutes if nothing runs there and the report was restored too; then try again',
  );
}

/**
 * Refuses to copy a database on which servers run: the copy would lack what they write after it has begun, although
 * their callers were told that it succeeded.
 *
 * @throws {AdminError}
 */
export async function requireStoppedSource(source: CopySession): Promise<void> {
  const found = await findRunningServers(source);
  if (found === undefined) return;
  throw new AdminError(
    `${found.subject} on ${source.location}, and the copy would lack what is written there meanwhile: stop ${found.them}, ` +
      'or wait three minutes if nothing runs there any more; then try again, or accept the loss with --allow-running',
  );
}

async function findRunningServers({ session, timeMs }: CopySession) {
  const nowMs = await timeMs();
  const running = (await selectHolders(session)).filter((holder) => isRunning(holder, nowMs));
  const [first] = running;
  if (first === undefined) return undefined;
  const more = running.length - 1;
  const [run, them] = more === 0 ? ['runs', 'it'] : [`and ${more} more run`, 'them'];
  return { subject: `process ${first.pid} on ${first.host} ${run}`, them };
}
