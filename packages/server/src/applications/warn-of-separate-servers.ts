import cluster from 'node:cluster';
import type { Database } from '../database/database.ts';
import type { Notice } from '../logging/notice.ts';
import { isRunning, processPlace } from './process-place.ts';
import { serverOf } from './server-of.ts';

/**
 * Says at the start that rate limits do not hold, because another `serve` has the same embedded database: only workers
 * of one supervisor count together there. One worker says it for all.
 *
 * @param rateLimit of applications without their own, in requests per second; 0 for none
 * @param processId of this process's report of its keys
 */
export async function warnOfSeparateServers(
  database: Database,
  { rateLimit, processId, notice }: { rateLimit: number; processId: string; notice: Notice },
): Promise<void> {
  if (database.rateReports !== undefined || (cluster.isWorker && cluster.worker?.id !== 1)) return;
  if (!(await hasRateLimit(database, rateLimit))) return;
  const own = serverOf({ processId, place: processPlace() });
  const { holders, nowMs } = await database.keys.holders();
  const other = holders.find((holder) => {
    const server = serverOf(holder);
    return server !== undefined && server !== own && isRunning(holder, nowMs);
  });
  if (other === undefined) return;
  notice(
    { pid: other.pid, host: other.host },
    'another serve has the same database, and each counts rate limits by itself, so an application may make twice as many ' +
      'requests: stop one of them, and use --workers for more processes',
  );
}

async function hasRateLimit({ applications }: Database, rateLimit: number): Promise<boolean> {
  if (rateLimit > 0) return true;
  return (await applications.listApplications()).some((application) => (application.rateLimit ?? 0) > 0);
}
