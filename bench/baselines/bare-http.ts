import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { secretKey, verifyRequest } from '@fieldroster/signing';
import { openLogOutput } from '../../packages/server/src/logging/log-output.ts';
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

const kinds: Readonly<Record<string, (...options: readonly string[]) => RequestListener>> = {
  constant: () => (_request, response) => void response.writeHead(200, headers).end(body),
  kept: keptAnswers,
  postgres: rowsOfPostgres,
};

/** Verifies each signature as the measured server does, keeps a separate answer for each target, and logs a line. */
function keptAnswers(appId = '', appSecret = ''): RequestListener {
  const [secrets, nothing, log] = [[secretKey(appSecret)], Buffer.alloc(0), openLogOutput(false)];
  const isSigned = ({ method = '', url: target = '', headers }: IncomingMessage) => {
    const { authorization, timestamp, nonce } = headers as Record<string, string | undefined>;
    const findSecrets = (caller: string) => (caller === appId ? secrets : undefined);
    const received = { method, target, authorization, timestamp, nonce, body: nothing };
    const nowSeconds = Math.floor(Date.now() / 1000);
    return verifyRequest(received, { findSecrets, nowSeconds }).outcome === 'verified';
  };
  const kept = new Map<string, string>();
  return (request, response) => {
    if (!isSigned(request)) return void response.writeHead(401).end();
    const { url: target = '' } = request;
    // A copy, so that each answer has its own memory.
    const answer = kept.get(target) ?? Buffer.from(body).toString();
    kept.set(target, answer);
    response.writeHead(200, headers).end(answer);
    log.write(`{"level":30,"time":${Date.now()},"app_id":"${appId}","code":0,"msg":"request"}\n`);
  };
}

/** Reads the row of the user for each request, and answers the constant. */
function rowsOfPostgres(url = ''): RequestListener {
  const read = postgresReads(url);
  return ({ url: target = '' }, response) => {
    const key = target.startsWith('/user?user_id=') ? 'id' : 'username';
    read(key, target.slice(target.indexOf('=') + 1)).then(
      () => response.writeHead(200, headers).end(body),
      () => response.writeHead(500, { 'Content-Length': '0' }).end(),
    );
  };
}

/** Arguments: the kind of server, and the options of the kind. */
const [kind = '', ...options] = process.argv.slice(2);
const listener = kinds[kind]?.(...options);
if (listener === undefined) throw new TypeError(`there is no kind of bare server named ${kind}`);
const server = createServer(listener);
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  console.log(JSON.stringify({ url: `http://127.0.0.1:${port}` }));
});
