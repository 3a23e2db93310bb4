import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { after, test } from 'node:test';
import Fastify from 'fastify';
import { acceptBetweenRequests } from './accept-between-requests.ts';
import { Admission } from './admission.ts';

const busyClients = 100;
const newClients = 100;

const app = Fastify();
let handled = 0;
app.get('/', async () => {
  handled += 1;
  return 'answer';
});
const admission = new Admission({ waitMaxMs: 50, onRefused: () => {} });
acceptBetweenRequests(app, admission, (_request, response) => response.writeHead(503).end());
await app.listen({ host: '127.0.0.1', port: 0 });
const { port } = app.server.address() as AddressInfo;
const sockets: Socket[] = [];
after(async () => {
  for (const socket of sockets) socket.destroy();
  await app.close();
});

const request = 'GET / HTTP/1.1\r\nHost: test\r\n\r\n';

function open(): Socket {
  const socket = connect(port, '127.0.0.1', () => socket.write(request));
  sockets.push(socket);
  return socket.on('error', () => {});
}

test('new connections are accepted at the pace of requests, not one per turn of the event loop', async () => {
  const busy = Array.from({ length: busyClients }, open);
  await Promise.all(busy.map((socket) => once(socket, 'data')));
  for (const socket of busy) socket.on('data', () => socket.write(request)).write(request);
  const before = handled;
  await Promise.all(Array.from({ length: newClients }, () => once(open(), 'data')));
  const meanwhile = handled - before;
  for (const socket of busy) socket.destroy();
  assert.ok(meanwhile < (busyClients * newClients) / 5, `${meanwhile} requests were handled first`);
});

test('many requests that arrive together on one connection are all answered', async () => {
  const socket = open();
  const text: string[] = [];
  socket.setEncoding('utf8').on('data', (part: string) => text.push(part));
  socket.write(request.repeat(300));
  // Some are refused if the machine is too busy to empty the queue.
  while (text.join('').split('HTTP/1.1 ').length - 1 < 301) await once(socket, 'data');
});
