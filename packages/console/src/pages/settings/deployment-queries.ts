import { queryOptions } from '@tanstack/react-query';
import { callConsole } from '../../api/call.ts';

const askAgainMs = 2_000;

/** Retention and backups. It is asked for again while a verification runs. */
export const deploymentQuery = queryOptions({
  queryKey: ['deployment'],
  queryFn: ({ signal }) => callConsole('queryDeployment', {}, undefined, { signal }),
  refetchInterval: ({ state }) => (state.data?.verification?.state === 'running' ? askAgainMs : false),
});

/** The findings of the doctor. Its checks take about a second, so they run when someone looks at them. */
export const findingsQuery = queryOptions({
  queryKey: ['deployment', 'findings'],
  queryFn: async ({ signal }) => (await callConsole('examineDeployment', {}, undefined, { signal })).findings,
  staleTime: 60_000,
});
