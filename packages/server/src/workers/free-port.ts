import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** Returns a port that is free at this moment, or 0 for an address on which nobody can listen. */
export async function freePort(host: string): Promise<number> {
  const server = createServer().listen(0, host);
  try {
    await once(server, 'listening');
  } catch {
    return 0;
  }
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
