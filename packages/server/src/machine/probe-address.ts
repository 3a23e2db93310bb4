import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Listens on an address for a moment, to find out that it is taken before anything is created for a server.
 *
 * @throws the system's error
 */
export async function probeAddress(address: { readonly host: string; readonly port: number }): Promise<void> {
  const probe = createServer().listen(address);
  await once(probe, 'listening');
  await new Promise((resolve) => probe.close(resolve));
}
