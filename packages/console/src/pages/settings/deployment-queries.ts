import { queryOptions } from '@tanstack/react-query';
import { callConsole, type OwnResult } from '../../api/call.ts';

type Deployment = OwnResult<'queryDeployment'>;

const askAgainMs = 2_000;

/** Retention and backups. It is asked for again while a verification runs or a backup is due. */
export const deploymentQuery = queryOptions({
  queryKey: ['deployment'],
  queryFn: ({ signal }) => callConsole('queryDeployment', {}, undefined, { signal }),
  refetchInterval: ({ state: { data } }) => data !== undefined && willChange(data) && askAgainMs,
});

function willChange({ verification, backup_every_ms: everyMs, next_backup_at: nextAt }: Deployment): boolean {
  return verification?.state === 'running' || (everyMs !== undefined && Number(nextAt ?? 0) <= Date.now());
}

/** The findings of the doctor. Its checks take about a second, so they run when someone looks at them. */
export const findingsQuery = queryOptions({
  queryKey: ['deployment', 'findings'],
  queryFn: async ({ signal }) => (await callConsole('examineDeployment', {}, undefined, { signal })).findings,
  staleTime: 60_000,
});
