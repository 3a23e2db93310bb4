import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveParent } from '../process/parent.ts';
import { constantHeaders } from './constant-headers.ts';

/** Argument: the body of every answer. */
const [body = ''] = process.argv.slice(2);
const headers = constantHeaders(body);
const server = createServer((_request, response) => {
  response.writeHead(200, headers).end(body);
});
server.listen(0, '127.0.0.1', () => {
  serveParent(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
