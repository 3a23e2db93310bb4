import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { ResponseWithFixedHeaders } from '../answers/fixed-headers.ts';
import { addConsoleFiles } from './console-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'fieldroster-console-files-'));
const built = `${folder}/built/`;
mkdirSync(`${built}assets`, { recursive: true });
const script = 'console.log(1);'.repeat(100);
writeFileSync(`${built}assets/main.js`, script);
writeFileSync(`${built}assets/main.js.gz`, gzipSync(script));
writeFileSync(`${built}assets/small.svg`, '<svg/>');
writeFileSync(`${built}index.html`, '<meta content="__CSP_NONCE__"><style nonce="__CSP_NONCE__"></style>');
writeFileSync(`${folder}/secret`, 'outside of the console');

const [origin, unbuilt] = await Promise.all([serve(built), serve(`${folder}/unbuilt/`)]);
after(() => rmSync(folder, { recursive: true, force: true }));

async function serve(from: string): Promise<string> {
  const app = Fastify({ http: { ServerResponse: ResponseWithFixedHeaders } });
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ code: 1005 }));
  addConsoleFiles(app, from);
  await app.listen({ port: 0, host: '127.0.0.1' });
  after(() => app.close());
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
}

const fixedNames = ['cache-control', 'content-security-policy', 'x-content-type-options', 'referrer-policy'];

function fixedHeaders({ headers }: Response) {
  return Object.fromEntries(fixedNames.map((name) => [name, headers.get(name)]));
}

test('each path of the console is the page, with a nonce of its own for its styles', async () => {
  const nonces = new Set<string>();
  for (const path of ['', '/', '/t/1/users', '/t/1/users/81?tab=stores']) {
    const response = await fetch(`${origin}/console${path}`);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8');
    const [, nonce = ''] = /<meta content="([\w+/=]+)">/.exec(await response.clone().text()) ?? [];
    assert.equal(Buffer.from(nonce, 'base64').length, 16);
    assert.equal(await response.text(), `<meta content="${nonce}"><style nonce="${nonce}"></style>`);
    const policy =
      `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; connect-src 'self'; ` +
      "img-src 'self' data:; font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
    assert.deepEqual(fixedHeaders(response), {
      'cache-control': 'no-store',
      'content-security-policy': policy,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
    });
    nonces.add(nonce);
  }
  assert.equal(nonces.size, 4);
});

test('a built file may be cached for a year, because its name changes with its content', async () => {
  const response = await fetch(`${origin}/console/assets/main.js`, {
    headers: { 'Accept-Encoding': 'identity' },
  });
  assert.equal(response.status, 200);
  assert.equal(await response.text(), script);
  assert.match(response.headers.get('content-type') ?? '', /^(text|application)\/javascript/);
  assert.equal(response.headers.get('content-encoding'), null);
  assert.deepEqual(fixedHeaders(response), {
    'cache-control': 'public, max-age=31536000, immutable',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  });
});

test('a browser that accepts gzip gets the compressed file, if there is one', async () => {
  for (const accepted of ['gzip', 'br, gzip;q=0.5', '*']) {
    const response = await fetch(`${origin}/console/assets/main.js`, {
      headers: { 'Accept-Encoding': accepted },
    });
    assert.equal(response.headers.get('content-encoding'), 'gzip', accepted);
    assert.equal(await response.text(), script);
  }
  const small = await fetch(`${origin}/console/assets/small.svg`, { headers: { 'Accept-Encoding': 'gzip' } });
  assert.equal(small.headers.get('content-encoding'), null);
  assert.equal(await small.text(), '<svg/>');
});

test('a browser that refuses compressed forms gets the file as it is', async () => {
  for (const accepted of ['identity', 'gzip;q=0', 'deflate, br']) {
    const response = await fetch(`${origin}/console/assets/main.js`, {
      headers: { 'Accept-Encoding': accepted },
    });
    assert.equal(response.headers.get('content-encoding'), null, accepted);
    assert.equal(response.headers.get('vary'), 'Accept-Encoding');
    assert.equal(await response.text(), script, accepted);
  }
});

test('HEAD answers the headers of a file', async () => {
  const response = await fetch(`${origin}/console/assets/main.js`, {
    method: 'HEAD',
    headers: { 'Accept-Encoding': 'identity' },
  });
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-length'), String(script.length));
});

test('a file is read once, so that no answer holds a file descriptor while its client does not read', async () => {
  const url = `${origin}/console/assets/once.css`;
  assert.equal((await fetch(url)).status, 404);
  writeFileSync(`${built}assets/once.css`, 'a{}');
  assert.equal(await (await fetch(url)).text(), 'a{}', 'that it was missing is not kept');
  rmSync(`${built}assets/once.css`);
  const again = await fetch(url);
  assert.equal(await again.text(), 'a{}');
  assert.equal(again.headers.get('content-type'), 'text/css; charset=utf-8');
});

test('an unknown path below the files or the calls is answered with 404, never with the page', async () => {
  for (const path of ['/assets/none.js', '/assets/', '/api/none', '/api/t/1/none']) {
    for (const method of path.startsWith('/api') ? ['GET', 'POST', 'DELETE'] : ['GET']) {
      const response = await fetch(`${origin}/console${path}`, { method });
      assert.equal(response.status, 404, `${method} ${path}`);
      assert.doesNotMatch(await response.text(), /<meta/, `${method} ${path}`);
    }
  }
});

test('no browser and no proxy keeps the answer that a file is missing: the next release may have it', async () => {
  for (const path of ['none.js', 'none/', '%00', 'main.js%2f', '.main.js']) {
    for (const method of ['GET', 'HEAD']) {
      const response = await fetch(`${origin}/console/assets/${path}`, { method });
      assert.ok(response.status >= 400, `${method} ${path}`);
      assert.equal(response.headers.get('cache-control'), 'no-store', `${method} ${path}`);
      assert.match(response.headers.get('content-security-policy') ?? '', /base-uri 'none'/);
    }
  }
});

test('no path leads out of the folder of the files', async () => {
  for (const path of ['..%2f..%2fsecret', '%2e%2e/%2e%2e/secret', '../../secret', '..%5c..%5csecret']) {
    // Unlike fetch, this sends the path as it is.
    const [response] = await once(get(origin, { path: `/console/assets/${path}` }), 'response');
    assert.match(String(response.statusCode), /^40[034]$/, path);
    assert.doesNotMatch(await text(response), /outside of the console/, path);
  }
});

test('a checkout without a built console says how to build it', async () => {
  const response = await fetch(`${unbuilt}/console/t/1`);
  assert.equal(response.status, 404);
  assert.equal(response.headers.get('content-type'), 'text/plain; charset=utf-8');
  assert.equal(
    await response.text(),
    'The console is not built. In a checkout, run: npm run build:console\n',
  );
  assert.deepEqual(fixedHeaders(response), {
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  });
});
