import { once } from 'node:events';
import { createServer } from 'node:net';
import { type HostAndPort, joinHostAndPort } from '../config.ts';
import { type AddressSettings, toListenError } from './listen-error.ts';

/**
 * Listens on an address for a moment, to find out that it is taken before anything is created for the server.
 *
 * @throws {ListenError}
 */
export async function requireFreeAddress(address: HostAndPort, settings: AddressSettings): Promise<void> {
  const probe = createServer().listen(address);
  try {
    await once(probe, 'listening');
  } catch (error) {
    throw toListenError(error, joinHostAndPort(address), settings);
  }
  await new Promise((resolve) => probe.close(resolve));
}
