import type { Worker } from 'node:cluster';
import type { WorkerMessage } from './messages.ts';

/** Cuts the channels of the last workers once all of them are about to close the port, or have ended. */
export async function letGoOfPort(workers: readonly Worker[]): Promise<void> {
  await Promise.all(workers.map(untilClosing));
  for (const { process } of workers) {
    if (!process.connected) continue;
    // Node.js closes its own copy of the port when it emits this event, but would emit it only after the worker has
    // seen the end of the channel and may have closed the port.
    process.emit('disconnect');
    process.disconnect();
  }
}

function untilClosing(worker: Worker): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  worker.on('message', (message: WorkerMessage) => {
    if (message.kind === 'closing') resolve();
  });
  worker.once('exit', () => resolve());
  return promise;
}
