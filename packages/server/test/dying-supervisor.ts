import cluster from 'node:cluster';
import { createServer } from 'node:http';
import { Logger } from '../src/logging/logger.ts';
import { isWorker, serveAsWorker } from '../src/workers/serve-as-worker.ts';
import { superviseWorkers } from '../src/workers/supervise-workers.ts';

// A supervisor that dies while its first worker starts: as it starts the process, or as the worker is about to listen.
const [moment] = process.argv.slice(2);

if (isWorker()) {
  await serveAsWorker(() => {
    const { ppid } = process;
    process.kill(ppid, 'SIGKILL');
    // Work that keeps the process from noticing, as the migration of a database does.
    while (process.ppid === ppid);
    createServer().listen(0, '127.0.0.1');
    return new Promise(() => {});
  }, rethrow);
} else {
  if (moment === 'as it starts the process') cluster.once('fork', () => process.exit(1));
  const settings = {
    workers: 2,
    host: '127.0.0.1',
    port: 0,
    metrics: '',
    consoleListen: '',
    waitForDatabaseSeconds: 0,
  };
  await superviseWorkers(settings, new Logger('silent', () => {}));
}

function rethrow(error: unknown): never {
  throw error;
}
