import { isRunning } from '../../applications/process-place.ts';
import type { CopySession } from '../../database/copy-session.ts';
import { hasKeyHolders } from '../../database/migrations/migrate.ts';
import { lockKeys } from '../../database/queries/settings/key-settings.ts';
import { selectHolders } from '../../database/queries/settings/keys.ts';
import { AdminError } from '../admin-error.ts';

type ReportedServers = Pick<CopySession, 'session' | 'location' | 'timeMs'>;

/**
 * Refuses a restored database on which servers run, by their reports in it. Reports from the time of the backup are
 * restored too, and count for two and a half minutes.
 *
 * @throws {AdminError}
 */
export async function requireStoppedServers(opened: ReportedServers): Promise<void> {
  // Tables of an early release have no reports.
  if (!(await hasKeyHolders(opened.session))) return;
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

/** The work that fills a target, and the origin of the content. */
export interface TargetFilling {
  readonly verb: 'copy' | 'restore';
  readonly origin: 'source' | 'backup';
}

/**
 * Refuses to fill a database that servers already serve, although it holds no directory yet: they would keep their own
 * master key, which opens none of the secrets that arrive.
 *
 * @param target is inside the transaction that fills it, and has its tables
 * @throws {AdminError}
 */
export async function requireStoppedTarget(
  target: CopySession,
  { verb, origin }: TargetFilling,
): Promise<void> {
  // A backup of an early release has no table of reports, and no running server can have made one.
  if (!(await hasKeyHolders(target.session))) return;
  // A server that starts now reports after this transaction, and then finds out whether it has the right key.
  await lockKeys(target.session);
  const found = await findRunningServers(target);
  if (found === undefined) return;
  throw new AdminError(
    `${found.subject} on ${target.location}, and would not notice the master key that the ${verb} brings: stop ` +
      `${found.them}, or wait three minutes if nothing runs there any more; then try again, and start the servers with ` +
      `the master key of the ${origin}`,
  );
}

async function findRunningServers({ session, timeMs }: Pick<ReportedServers, 'session' | 'timeMs'>) {
  const nowMs = await timeMs();
  const running = (await selectHolders(session)).filter((holder) => isRunning(holder, nowMs));
  const [first] = running;
  if (first === undefined) return undefined;
  const more = running.length - 1;
  const [run, them] = more === 0 ? ['runs', 'it'] : [`and ${more} more run`, 'them'];
  return { subject: `process ${first.pid} on ${first.host} ${run}`, them };
}
