import { createServer, type RequestListener } from 'node:http';
import { profile } from '../directory/seeded-user.ts';
import { postgresReads } from './postgres-reads.ts';

/** As long as the answer to a query of a seeded user. */
const body = JSON.stringify({
  code: 0,
  message: '',
  data: {
    id: 12345,
    ...profile(12_345),
    roles: [{ id: 6, name: 'Role 6', system_id: 1, order: 5, description: 'Looks after stores' }],
    orgs: [{ id: 146, name: 'Region 146', parent_id: 1 }],
  },
});

/** The headers that the measured server sends with an answer. */
const headers = {
  'Content-Type': 'application/json; charset=utf-8',
  'Content-Length': String(Buffer.byteLength(body)),
  'X-Request-Id': 'a1b2c3d4e5f6-abc12',
  'Cache-Control': 'no-store',
  ETag: '"1"',
};

const answerConstant: RequestListener = (_request, response) =>
  void response.writeHead(200, headers).end(body);

/** Reads the row of the user that each request names, and answers the constant. */
function readFirst(url: string): RequestListener {
  const read = postgresReads(url);
  return (request, response) => {
    const { url: target = '' } = request;
    const value = target.slice(target.indexOf('=') + 1);
    read(target.startsWith('/user?user_id=') ? 'id' : 'username', value).then(
      () => answerConstant(request, response),
      () => response.writeHead(500).end(),
    );
  };
}

/** Arguments: the port to listen on, and the URL of a seeded database to read from, if any. */
const [port, database] = process.argv.slice(2);
createServer(database === undefined ? answerConstant : readFirst(database)).listen(Number(port), '127.0.0.1');
