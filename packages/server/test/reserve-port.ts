import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { freePort } from '../src/workers/free-port.ts';

/**
 * Returns a free TCP port of 127.0.0.1 that no other test gets until this process ends, even while no server listens on
 * it. A server that starts again on the port that the system chose for it may find it taken: the system gives that port
 * to the next server that leaves the choice to it.
 *
 * @param choosePort returns a port that is free at this moment
 */
export async function reservePort(choosePort = () => freePort('127.0.0.1')): Promise<number> {
  for (;;) {
    const port = await choosePort();
    if (port === 0) throw new Error('there is no free port');
    if (await mark(port)) return port;
  }
}

/** Holds the UDP port of the same number, which nothing else uses. The system frees it when the process ends. */
async function mark(port: number): Promise<boolean> {
  const socket = createSocket('udp4').unref();
  socket.bind({ address: '127.0.0.1', port, exclusive: true });
  try {
    await once(socket, 'listening');
    return true;
  } catch {
    socket.close();
    return false;
  }
}
