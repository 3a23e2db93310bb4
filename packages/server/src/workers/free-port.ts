import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the ports that Linux (32768 to 60999), macOS and Windows (from 49152) give to outgoing connections and to
 * servers that leave the choice to them. None of these can take the port before it is used.
 */
const portMin = 20_000;
const portMax = 32_767;

const attemptsMax = 100;

/** Returns a port that is free at this moment, or 0 for an address on which nobody can listen. */
export async function freePort(host: string): Promise<number> {
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const port = randomInt(portMin, portMax + 1);
    const error = await tryPort({ host, port });
    if (error === undefined) return port;
    if (error.code !== 'EADDRINUSE') return 0;
  }
  return 0;
}

/** Returns why nothing can listen there, or `undefined`. */
async function tryPort(address: {
  readonly host: string;
  readonly port: number;
}): Promise<NodeJS.ErrnoException | undefined> {
  const server = createServer().listen(address);
  try {
    await once(server, 'listening');
  } catch (error) {
    return error as NodeJS.ErrnoException;
  }
  server.close();
  await once(server, 'close');
  return undefined;
}
