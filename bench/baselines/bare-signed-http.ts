import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { secretKey, verifyRequest } from '@fieldroster/signing';
import { openLogOutput } from '../../packages/server/src/log-output.ts';
import { serveParent } from '../process/parent.ts';
import { constantHeaders } from './constant-headers.ts';

/**
 * Arguments: the body of an answer, the credentials of the one application whose signatures are good, and
 * `constant`, or `kept` for an answer of its own to each target, kept in a map, and a line in the log.
 */
const [body = '', appId = '', appSecret = '', kind = 'constant'] = process.argv.slice(2);
const headers = constantHeaders(body);
const secrets = [secretKey(appSecret)];
const nothing = Buffer.alloc(0);
const kept = new Map<string, string>();
const log = openLogOutput(false);

const server = createServer((request, response) => {
  if (!isSigned(request)) response.writeHead(401).end();
  else if (kind === 'constant') response.writeHead(200, headers).end(body);
  else {
    response.writeHead(200, headers).end(answerTo(request.url ?? ''));
    log.write(`{"level":30,"time":${Date.now()},"app_id":"${appId}","code":0,"msg":"request"}\n`);
  }
});
server.listen(0, '127.0.0.1', () => {
  serveParent(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});

/** As the server under test does it, by the same library. */
function isSigned({ method = '', url: target = '', headers }: IncomingMessage): boolean {
  const { authorization, timestamp, nonce } = headers as Record<string, string | undefined>;
  const { outcome } = verifyRequest(
    { method, target, authorization, timestamp, nonce, body: nothing },
    {
      findSecrets: (caller) => (caller === appId ? secrets : undefined),
      nowSeconds: Math.floor(Date.now() / 1000),
    },
  );
  return outcome === 'verified';
}

/** All of the same length, each with memory of its own. */
function answerTo(target: string): string {
  const known = kept.get(target);
  if (known !== undefined) return known;
  const answer = Buffer.from(body).toString();
  kept.set(target, answer);
  return answer;
}
