import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import files from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { after, afterEach, before, describe, mock, test } from 'node:test';
import { signerFiles } from '@fieldroster/contract/signing-scripts';
import Fastify from 'fastify';
import { startTestServer, type TestServer } from '../../../test/test-server.ts';
import { ResponseWithFixedHeaders } from '../answers/fixed-headers.ts';
import { addReferenceRoutes } from './reference-routes.ts';

const root = new URL('../../../../../', import.meta.url);

describe('the reference and the document', () => {
  let server: TestServer;

  before(async () => {
    server = await startTestServer({ settings: { basePath: '/api/v1' } });
  });

  after(() => server.close());

  afterEach(() => {
    mock.restoreAll();
    syncBuiltinESMExports();
  });

  /** Serves the reference and the document alone, without a base path, before anybody has asked for them. */
  async function serveAlone(): Promise<{ readonly port: number }> {
    const app = Fastify({ http: { ServerResponse: ResponseWithFixedHeaders } });
    app.setNotFoundHandler((_request, reply) => reply.code(404).send('not found'));
    addReferenceRoutes(app, { docs: true, basePath: '' });
    await app.listen({ port: 0, host: '127.0.0.1' });
    after(() => app.close());
    return { port: (app.server.address() as AddressInfo).port };
  }

  /** Lets the next attempt to read a file of this name fail. */
  function failToRead(name: string, code: string): void {
    const { readFile } = files;
    const spy = mock.method(files, 'readFile', (file: URL, ...rest: []) => {
      if (!String(file).endsWith(`/${name}`)) return readFile(file, ...rest);
      spy.mock.restore();
      syncBuiltinESMExports();
      throw Object.assign(new Error(`${name} cannot be read`), { code });
    });
    syncBuiltinESMExports();
  }

  async function get(url: string, method: 'GET' | 'POST' = 'GET', from: { readonly port: number } = server) {
    const response = await fetch(`http://127.0.0.1:${from.port}${url}`, { method });
    const { status: statusCode } = response;
    return { statusCode, headers: Object.fromEntries(response.headers), body: await response.text() };
  }

  test('each file of the page comes without a signature, under a policy that admits only this server', async () => {
    const files = {
      '/docs': 'text/html; charset=utf-8',
      '/docs/': 'text/html; charset=utf-8',
      '/docs/style.css': 'text/css; charset=utf-8',
      '/docs/icon.svg': 'image/svg+xml',
      '/docs/main.js': 'text/javascript; charset=utf-8',
      '/docs/signers/python': 'text/plain; charset=utf-8',
      '/openapi.json': 'application/json; charset=utf-8',
      '/api/v1/docs': 'text/html; charset=utf-8',
      '/api/v1/docs/main.js': 'text/javascript; charset=utf-8',
      '/api/v1/openapi.json': 'application/json; charset=utf-8',
    };
    for (const [url, contentType] of Object.entries(files)) {
      const { statusCode, headers } = await get(url);
      assert.deepEqual([statusCode, headers['content-type']], [200, contentType], url);
      assert.equal(
        headers['content-security-policy'],
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
          "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
      );
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.equal(headers['referrer-policy'], 'no-referrer');
    }
  });

  test('the page names its files by relative paths, so it works below any prefix', async () => {
    for (const below of ['', '/api/v1']) {
      for (const path of [`${below}/docs`, `${below}/docs/`]) {
        const { body } = await get(path);
        const addresses = [...body.matchAll(/(?:href|src)="([^#"]+)"/g)].map(([, address = '']) => address);
        assert.deepEqual(
          addresses.map((address) => new URL(address, `http://h${path}`).pathname),
          ['icon.svg', 'style.css', 'main.js']
            .map((file) => `${below}/docs/${file}`)
            .concat(`${below}/openapi.json`),
        );
        assert.match(body, new RegExp(`name="served-below" content="${below}"`));
      }
    }
  });

  test('the styles and the icon are those of the sources', async () => {
    for (const file of ['style.css', 'icon.svg']) {
      const committed = readFileSync(new URL(`page/${file}`, import.meta.url), 'utf8');
      assert.equal((await get(`/docs/${file}`)).body, committed);
    }
  });

  test('the script is bundled from the sources, in whatever folder the server was started', async () => {
    const startedIn = process.cwd();
    const bare = await serveAlone();
    try {
      process.chdir(tmpdir());
      const { body } = await get('/docs/main.js', 'GET', bare);
      assert.match(body, /served-below/);
      assert.doesNotMatch(body, /^import .* from ["']\./m);
    } finally {
      process.chdir(startedIn);
    }
  });

  test('every signer in a script is the one in the examples', async () => {
    for (const [id, file] of Object.entries(signerFiles)) {
      const committed = readFileSync(new URL(`examples/${file}`, root), 'utf8');
      assert.equal((await get(`/docs/signers/${id}`)).body, committed);
    }
  });

  test('the document is the committed one, with this server in it', async () => {
    const committed = JSON.parse(readFileSync(new URL('docs/openapi.json', root), 'utf8'));
    const served = JSON.parse((await get('/openapi.json')).body);
    assert.deepEqual(served, { ...committed, servers: [{ url: '/api/v1', description: 'This server' }] });
  });

  test('no other path below /docs, and no other method, is answered with a file', async () => {
    const paths = [
      '/docs/page/main.ts',
      '/docs/../package.json',
      '/docs/%2e%2e/package.json',
      '/docs/main.ts',
    ];
    for (const url of paths) {
      const answer = await get(url);
      assert.equal(answer.statusCode, 404);
      assert.equal(JSON.parse(answer.body).code, 1005);
    }
    assert.equal(JSON.parse((await get('/docs', 'POST')).body).code, 1006);
  });

  test('operations have a stricter policy than the page', async () => {
    const { headers } = await get('/api/v1/user');
    assert.equal(
      headers['content-security-policy'],
      "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
    );
  });

  test('a document that is not installed is answered with 404', async () => {
    const bare = await serveAlone();
    failToRead('openapi.json', 'ENOENT');
    const { statusCode, body } = await get('/openapi.json', 'GET', bare);
    assert.deepEqual([statusCode, body], [404, 'not found']);
  });

  test('a file that cannot be read is an internal error, and is read again at the next request', async () => {
    const bare = await serveAlone();
    for (const [url, file] of [
      ['/openapi.json', 'openapi.json'],
      ['/docs/style.css', 'style.css'],
    ] as const) {
      failToRead(file, 'EIO');
      assert.equal((await get(url, 'GET', bare)).statusCode, 500, url);
      assert.equal((await get(url, 'GET', bare)).statusCode, 200, url);
    }
  });

  test('without a base path, the document names the root of this server', async () => {
    const { servers } = JSON.parse((await get('/openapi.json', 'GET', await serveAlone())).body);
    assert.deepEqual(servers, [{ url: '/', description: 'This server' }]);
  });

  test('--docs off serves neither', async () => {
    const closed = await startTestServer({ settings: { docs: false } });
    try {
      for (const url of ['/docs', '/docs/style.css', '/openapi.json']) {
        assert.equal(JSON.parse((await get(url, 'GET', closed)).body).code, 1005);
      }
    } finally {
      await closed.close();
    }
  });
});
