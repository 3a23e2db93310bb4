import { createServer } from 'node:http';
import { ConnectionLimit } from '../src/http/limits/connection-limit.ts';

// A worker of a cluster, with room for one connection.
const server = createServer((_request, response) => response.end(String(process.pid)));
new ConnectionLimit(() => {}).applyTo(server, { max: 1, reason: 'the limit of the test' });
server.listen(0, '127.0.0.1');
