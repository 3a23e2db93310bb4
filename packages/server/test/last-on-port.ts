import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { serveAsWorker } from '../src/workers/serve-as-worker.ts';

// A worker that, before it closes its port, ends with 3 if its supervisor holds the port too.
await serveAsWorker(async ({ port }) => {
  const server = createServer().listen(port, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    url: `http://127.0.0.1:${port}`,
    async stop(options) {
      await options?.beforeClosing?.();
      if (holds(process.ppid, port)) process.exit(3);
      server.close();
    },
  };
});

/** Returns whether the process has the socket that listens on the port. */
function holds(pid: number, port: number): boolean {
  const hexPort = port.toString(16).toUpperCase().padStart(4, '0');
  const listening = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .find(([, local = '', , state]) => local.endsWith(`:${hexPort}`) && state === '0A');
  const [, , , , , , , , , inode] = listening ?? [];
  if (inode === undefined) throw new Error(`nobody listens on port ${port}`);
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).some((name) => linkOf(`${folder}/${name}`) === `socket:[${inode}]`);
}

/** The file may have been closed since the folder was read. */
function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
