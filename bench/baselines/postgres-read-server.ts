import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveParent } from '../process/parent.ts';
import { RawPostgresReads } from './raw-postgres-reads.ts';

/** Arguments: the URL of a seeded database, and the body of every answer. */
const [url = '', body = ''] = process.argv.slice(2);
const reads = new RawPostgresReads(url);
const headers = {
  'Content-Type': 'application/json; charset=utf-8',
  'Content-Length': String(Buffer.byteLength(body)),
  'X-Request-Id': 'a1b2c3d4e5f6-abc12',
  'Cache-Control': 'no-store',
  ETag: '"1"',
};
const byId = '/user?user_id=';
const byUsername = '/user?username=';

const server = createServer((request, response) => {
  read(request.url ?? '').then(
    () => response.writeHead(200, headers).end(body),
    () => response.writeHead(500, { 'Content-Length': '0' }).end(),
  );
});
server.listen(0, '127.0.0.1', () => {
  serveParent(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});

function read(target: string): Promise<void> {
  return target.startsWith(byId)
    ? reads.byId(target.slice(byId.length))
    : reads.byUsername(target.slice(byUsername.length));
}
