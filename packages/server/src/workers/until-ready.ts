import type { Worker } from 'node:cluster';
import { ListenError } from '../main.ts';
import type { ReadyMessage, WorkerMessage } from './messages.ts';

/**
 * Resolves once the worker listens, with what it says of its addresses.
 *
 * @throws {ListenError} when it does not start, or ends before
 */
export function untilReady(worker: Worker): Promise<ReadyMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<ReadyMessage>();
  worker.on('message', (message: WorkerMessage) => {
    if (message.kind === 'ready') resolve(message);
    else if (message.kind === 'failed') reject(new ListenError(message.message));
  });
  worker.once('exit', (code, signal) => reject(new ListenError(describeEarlyEnd(code, signal))));
  return promise;
}

function describeEarlyEnd(code: number | null, signal: string | null): string {
  if (signal === 'SIGKILL')
    return 'a worker was killed with SIGKILL before it listened; if no line before this one says why, memory probably ran out: lower --workers or give the machine more';
  return `a worker ended with ${signal ?? `code ${code}`} before it listened; the lines before this one say why`;
}
