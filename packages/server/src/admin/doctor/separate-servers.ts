import { isRunning } from '../../applications/process-place.ts';
import { serverOf } from '../../applications/server-of.ts';
import type { DoctorContext } from './doctor-check.ts';
import { advise, type TranslatedFinding, tell, warning } from './finding.ts';

/** Looks for several servers on one embedded database: only the workers of one count their calls together. */
export async function separateServers(context: DoctorContext): Promise<TranslatedFinding[]> {
  const { inspection, settings } = context;
  if (inspection.engine !== 'sqlite') return [];
  if (settings.rateLimit === 0 && !(await inspection.limitsApplications())) return [];
  const { holders, nowMs } = await inspection.keys.holders();
  // One process stands for each server.
  const servers = new Map(
    holders
      .filter((holder) => isRunning(holder, nowMs))
      .flatMap((holder) => {
        const server = serverOf(holder);
        return server === undefined ? [] : [[server, holder] as const];
      }),
  );
  if (servers.size < 2) return [];
  const processes = [...servers.values()].map(({ pid, host }) => ({ pid, host }));
  const places = processes.map(({ pid, host }) => `process ${pid} on ${host}`).join(', ');
  const message = `${servers.size} servers use this database (${places}), and each counts rate limits by itself, so an application may make ${servers.size} times as many requests`;
  return [
    warning(
      tell(message, 'separateServers', { processes }),
      advise('stop all but one of them, and use --workers for more processes', 'useWorkers', {}),
    ),
  ];
}
