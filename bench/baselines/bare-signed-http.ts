import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { secretKey, verifyRequest } from '@fieldroster/signing';
import { serveParent } from '../process/parent.ts';
import { constantHeaders } from './constant-headers.ts';

/** Arguments: the body of every answer, and the credentials of the one application whose signatures are good. */
const [body = '', appId = '', appSecret = ''] = process.argv.slice(2);
const headers = constantHeaders(body);
const secrets = [secretKey(appSecret)];
const nothing = Buffer.alloc(0);

const server = createServer((request, response) => {
  if (isSigned(request)) response.writeHead(200, headers).end(body);
  else response.writeHead(401).end();
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
