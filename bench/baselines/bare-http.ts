import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { secretKey, verifyRequest } from '@fieldroster/signing';
import { openLogOutput } from '../../packages/server/src/logging/log-output.ts';
import { profile } from '../directory/seeded-user.ts';
import {
  binder,
  bindingChecker,
  inTransaction,
  openDirectoryFile,
  selectUser,
  toUser,
  type UserKey,
  userReader,
} from './directory-rows.ts';
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
  rows: rowsOfSqlite,
  'rows-of-postgres': signedRowsOfPostgres,
  postgres: rowsOfPostgres,
};

const nothing = Buffer.alloc(0);

/** Verifies signatures as the measured server does. */
function verifier(appId: string, appSecret: string) {
  const secrets = [secretKey(appSecret)];
  const findSecrets = (caller: string) => (caller === appId ? secrets : undefined);
  return ({ method = '', url: target = '', headers }: IncomingMessage, body = nothing): boolean => {
    const { authorization, timestamp, nonce } = headers as Record<string, string | undefined>;
    const nowSeconds = Math.floor(Date.now() / 1000);
    const received = { method, target, authorization, timestamp, nonce, body };
    return verifyRequest(received, { findSecrets, nowSeconds }).outcome === 'verified';
  };
}

/** Logs a line for each answer. */
function logger(appId: string) {
  const log = openLogOutput(false);
  return () => log.write(`{"level":30,"time":${Date.now()},"app_id":"${appId}","code":0,"msg":"request"}\n`);
}

/** Keeps a separate answer for each target. */
function keptAnswers(appId = '', appSecret = ''): RequestListener {
  const [isSigned, log] = [verifier(appId, appSecret), logger(appId)];
  const kept = new Map<string, string>();
  return (request, response) => {
    if (!isSigned(request)) return void response.writeHead(401).end();
    const { url: target = '' } = request;
    // A copy, so that each answer has its own memory.
    const answer = kept.get(target) ?? Buffer.from(body).toString();
    kept.set(target, answer);
    response.writeHead(200, headers).end(answer);
    log();
  };
}

/**
 * Reads each user, and checks and writes each binding, by prepared statements. Bindings that arrive together share a
 * transaction.
 */
function rowsOfSqlite(folder = '', appId = '', appSecret = ''): RequestListener {
  const db = openDirectoryFile(folder, true);
  const [isSigned, log] = [verifier(appId, appSecret), logger(appId)];
  const [read, check, bind] = [userReader(db), bindingChecker(db), binder(db)];
  const answer = (response: ServerResponse, data: unknown) => {
    send(response, data);
    log();
  };
  let waiting: { readonly response: ServerResponse; readonly body: Buffer }[] = [];
  const commit = () => {
    const group = waiting;
    waiting = [];
    inTransaction(db, () => {
      for (const { body } of group) {
        const { user_id, store_code } = JSON.parse(body.toString());
        check(user_id, store_code);
        bind(user_id, store_code);
      }
    });
    for (const { response } of group) answer(response, {});
  };
  return (request, response) => {
    if (request.method === 'GET') {
      if (!isSigned(request)) return void response.writeHead(401).end();
      return answer(response, read(...keyOf(request)));
    }
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => void chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      if (!isSigned(request, body)) return void response.writeHead(401).end();
      if (waiting.push({ response, body }) === 1) setImmediate(commit);
    });
  };
}

function send(response: ServerResponse, data: unknown): void {
  const text = JSON.stringify({ code: 0, message: '', data });
  response.writeHead(200, { ...headers, 'Content-Length': Buffer.byteLength(text) }).end(text);
}

/** Reads each user from PostgreSQL. */
function signedRowsOfPostgres(url = '', appId = '', appSecret = ''): RequestListener {
  const [isSigned, log, read] = [verifier(appId, appSecret), logger(appId), postgresReads(url, selectUser)];
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    send(response, toUser(await read(...keyOf(request))));
    log();
  };
  return (request, response) => {
    if (!isSigned(request)) return void response.writeHead(401).end();
    answer(request, response).catch(() => response.writeHead(500).end());
  };
}

/** Returns the column and the value by which a request names its user. */
function keyOf({ url: target = '' }: IncomingMessage): readonly [UserKey, string] {
  const value = target.slice(target.indexOf('=') + 1);
  return [target.startsWith('/user?user_id=') ? 'id' : 'username', value];
}

/** Reads the row of the user for each request, and answers the constant. */
function rowsOfPostgres(url = ''): RequestListener {
  const read = postgresReads(url);
  return (request, response) => {
    read(...keyOf(request)).then(
      () => response.writeHead(200, headers).end(body),
      () => response.writeHead(500).end(),
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
