import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../scripts/testing/temporary-folder.ts';
import { FieldrosterClient } from './index.ts';

test('a server whose certificate nobody vouches for gets no request, and the message says so', async (t) => {
  const folder = temporaryFolder(t);
  const [key, cert] = ['key.pem', 'cert.pem'].map((name) => join(folder, name)) as [string, string];
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const files = ['-keyout', key, '-out', cert];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject, ...files], {
    stdio: 'ignore',
  });
  let requests = 0;
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_request, response) => {
    requests += 1;
    response.end('{"code":0}');
  });
  t.after(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = new FieldrosterClient({
    url,
    appId: 'fr0123456789abcdef01',
    appSecret: 'a secret of the test',
  });
  await assert.rejects(client.createUser({ username: 'mara', password: 'a password' }), {
    name: 'TransportError',
    message: /^the certificate of the server was refused: its authority is not known here; name the file/,
    reach: 'refused',
    mayHaveBeenApplied: false,
  });
  assert.equal(requests, 0);
});
