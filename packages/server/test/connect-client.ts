import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { TestContext } from 'node:test';

/** Starts a server and opens a connection to it. Returns both ends; the test's end closes everything. */
export async function connectClient(
  t: TestContext,
  server: Server,
): Promise<{ client: Socket; socket: Socket }> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [socket] = (await once(server, 'connection')) as [Socket];
  t.after(() => {
    client.destroy();
    server.closeAllConnections();
    server.close();
  });
  return { client, socket };
}
