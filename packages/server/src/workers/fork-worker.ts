import cluster, { type Worker } from 'node:cluster';
import { ListenError } from '../machine/listen-error.ts';
import { raiseOpenFiles } from '../machine/raise-open-files.ts';

const cures: Readonly<Record<string, string>> = {
  EAGAIN:
    'no more processes are allowed; raise their limit (TasksMax, ulimit -u, the pids limit of the container) or lower --workers',
  EMFILE: `this process may open no more files; ${raiseOpenFiles}`,
  ENOMEM: 'memory ran out; lower --workers or give the machine more',
};

/**
 * Starts the process of a worker.
 *
 * @param adopt receives the worker before anything else runs, because this process may end in its next tick
 * @throws {ListenError} when the system starts no process
 */
export async function forkWorker(
  environment: NodeJS.ProcessEnv,
  adopt: (worker: Worker) => void,
): Promise<Worker> {
  try {
    const worker = cluster.fork(environment);
    if (worker.process.pid === undefined) await failureOf(worker);
    adopt(worker);
    return worker;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new ListenError(`a worker could not be started: ${cures[code ?? ''] ?? message}`, { cause: error });
  }
}

/** Rejects with the reason why the worker has no process. Such a worker emits an error, and never its end. */
function failureOf(worker: Worker): Promise<never> {
  // Node.js forgets a worker only at its end.
  delete cluster.workers?.[worker.id];
  const { promise, reject } = Promise.withResolvers<never>();
  worker.once('error', reject);
  return promise;
}
