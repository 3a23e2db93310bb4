import cluster from 'node:cluster';
import type { RunningServer } from '../main.ts';
import { type SupervisorMessage, type WorkerMessage, workerPortVariable } from './messages.ts';

/** Whether this process was started by `superviseWorkers`. */
export function isWorker(): boolean {
  return cluster.isWorker;
}

/** Serves on the supervisor's port until it says to stop, or is gone; then ends the process. */
export async function serveAsWorker(start: (port: number) => Promise<RunningServer>): Promise<void> {
  // Ctrl-C in a terminal reaches every process of the group; the supervisor decides what it means.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => {});
  process.on('SIGHUP', () => {});
  const server = await start(Number(process.env[workerPortVariable])).catch(async (error: Error) => {
    await tell({ kind: 'failed', message: error.message });
    process.exit(1);
  });
  const stop = async (replaced: boolean) => {
    await server.stop({ replaced });
    process.exit(0);
  };
  process.on(
    'message',
    (message: SupervisorMessage) => void (message.kind === 'stop' && stop(message.replaced)),
  );
  process.on('disconnect', () => void stop(true));
  await tell({ kind: 'ready', url: server.url });
}

function tell(message: WorkerMessage): Promise<void> {
  return new Promise((resolve) => {
    if (process.send === undefined) resolve();
    else process.send(message, () => resolve());
  });
}
