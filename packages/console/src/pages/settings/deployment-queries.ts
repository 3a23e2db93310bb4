import { queryOptions } from '@tanstack/react-query';
import { callConsole, type OwnResult } from '../../api/call.ts';
import { presentTime } from '../../api/server-clock.ts';

type Deployment = OwnResult<'queryDeployment'>;

const askAgainMs = 2_000;
const askRarelyMs = 60_000;
const timerMaxMs = 24 * 3_600_000;

/** Retention and backups. It is asked for again while a verification runs, and when a backup is due. */
export const deploymentQuery = queryOptions({
  queryKey: ['deployment'],
  queryFn: ({ signal }) => callConsole('queryDeployment', {}, undefined, { signal }),
  refetchInterval: ({ state: { data } }) => (data === undefined ? false : untilChangeMs(data)),
});

function untilChangeMs({ verification, backup_every_ms, next_backup_at }: Deployment): number | false {
  if (verification?.state === 'running') return askAgainMs;
  if (backup_every_ms === undefined) return false;
  if (next_backup_at === undefined) return askAgainMs;
  const dueInMs = Number(next_backup_at) - presentTime();
  // The server tries a backup that failed again after some minutes.
  if (dueInMs < -askRarelyMs) return askRarelyMs;
  return Math.min(Math.max(dueInMs, askAgainMs), timerMaxMs);
}

/** The findings of the doctor. Its checks take about a second, so they run when someone looks at them. */
export const findingsQuery = queryOptions({
  queryKey: ['deployment', 'findings'],
  queryFn: async ({ signal }) => (await callConsole('examineDeployment', {}, undefined, { signal })).findings,
  staleTime: 60_000,
});
