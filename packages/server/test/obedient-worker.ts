import type { SupervisorMessage, WorkerMessage } from '../src/workers/messages.ts';

// A worker that serves nothing, and ends when its supervisor says so. Its address shows the configuration that it got.
process.on('message', (message: SupervisorMessage) => {
  if (message.kind === 'stop') process.exit(0);
  if (message.kind === 'start') start(message.configuration);
});
process.on('disconnect', () => process.exit(0));

function start(configuration: string | undefined): void {
  process.send?.({
    kind: 'ready',
    url: `http://127.0.0.1:1/${configuration}`,
    consoleUrl: undefined,
    drainSeconds: 0,
  } satisfies WorkerMessage);
}
