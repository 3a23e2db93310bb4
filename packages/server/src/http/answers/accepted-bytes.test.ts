import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { acceptedBytes } from './accepted-bytes.ts';

const missing =
  'this release of Node.js lacks the counters that acceptedBytes reads: unread answers look as if read';

/** More than the systems of both sides take for a client that does not read. */
const large = Buffer.alloc(24 * 1024 * 1024, 'x');

const server = createServer();
after(() => server.close());

test('this release of Node.js counts the bytes that the system takes from a connection, while its client reads', async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const accepted = once(server, 'connection');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
  const [socket]: Socket[] = await accepted;
  assert.ok(socket);
  assert.equal(acceptedBytes(socket), 0);
  const written = new Promise<void>((resolve) => socket.write(large, () => resolve()));
  const first = acceptedBytes(socket);
  assert.ok(first > 0 && first < large.length, `${missing}; it reports ${first} of ${large.length} bytes`);
  client.resume();
  await written;
  assert.equal(acceptedBytes(socket), large.length, missing);
  client.destroy();
  socket.destroy();
});
