import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { serveAsWorker } from '../src/workers/serve-as-worker.ts';

// The only worker, which ends with 3 if its port takes connections after it has closed it.
await serveAsWorker(async ({ port }) => {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${port}`,
    drainSeconds: 0,
    async stop(options) {
      await options?.beforeClosing?.();
      // Frozen, because it would close its own side too once it learns that the worker has.
      process.kill(process.ppid, 'SIGSTOP');
      server.close();
      const open = await isOpen(port);
      process.kill(process.ppid, 'SIGCONT');
      if (open) process.exit(3);
    },
  };
}, rethrow);

function rethrow(error: unknown): never {
  throw error;
}

/** Returns whether a socket listens on the port, even one that nobody accepts from. */
function isOpen(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(port, '127.0.0.1');
  socket.once('connect', () => resolve(true));
  socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code !== 'ECONNREFUSED'));
  return promise.finally(() => socket.destroy());
}
