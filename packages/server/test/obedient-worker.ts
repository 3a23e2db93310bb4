import type { SupervisorMessage, WorkerMessage } from '../src/workers/messages.ts';

// A worker that serves nothing, and ends when its supervisor says so.
process.on('message', ({ kind }: SupervisorMessage) => {
  if (kind === 'stop') process.exit(0);
});
process.on('disconnect', () => process.exit(0));
process.send?.({
  kind: 'ready',
  url: 'http://127.0.0.1:1',
  consoleUrl: undefined,
  drainSeconds: 0,
} satisfies WorkerMessage);
