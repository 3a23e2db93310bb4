import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveParent } from '../process/parent.ts';

/** Argument: the body of every answer. Its headers are those that the measured server sends as well. */
const [body = ''] = process.argv.slice(2);
const headers = {
  'Content-Type': 'application/json; charset=utf-8',
  'Content-Length': String(Buffer.byteLength(body)),
  'X-Request-Id': 'a1b2c3d4e5f6-abc12',
  'Cache-Control': 'no-store',
  ETag: '"1"',
};
const server = createServer((_request, response) => {
  response.writeHead(200, headers).end(body);
});
server.listen(0, '127.0.0.1', () => {
  serveParent(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
