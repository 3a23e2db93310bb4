import type { SupervisorMessage, WorkerMessage } from '../src/workers/messages.ts';

// A worker that serves nothing, and ends when its supervisor says so. Its address shows the configuration that it got.
// It does not start with those that its arguments name.
process.on('message', (message: SupervisorMessage) => {
  if (message.kind === 'stop') process.exit(0);
  if (message.kind === 'start') start(message.configuration);
});
process.on('disconnect', () => process.exit(0));

const refused: readonly (string | undefined)[] = process.argv.slice(2);

function start(configuration: string | undefined): void {
  if (refused.includes(configuration)) {
    process.send?.({ kind: 'failed', message: `${configuration} is refused` } satisfies WorkerMessage, () =>
      process.exit(1),
    );
    return;
  }
  process.send?.({
    kind: 'ready',
    url: `http://127.0.0.1:1/${configuration}`,
    consoleUrl: undefined,
    drainSeconds: 0,
  } satisfies WorkerMessage);
}
