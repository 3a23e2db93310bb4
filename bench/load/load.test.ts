import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import type { Load } from '../measurement.ts';
import { nodeLoad } from './node-load.ts';
import { inHttp, signedBy, writeRequestFile } from './request-file.ts';
import { wrk, wrkIsThere } from './wrk.ts';

const requests = 300;
const credentials = { appId: 'bench', appSecret: 'a secret' };
const successPrefix = '{"code":0';

const loads: readonly Load[] = (await wrkIsThere())
  ? [nodeLoad(undefined), wrk(undefined)]
  : [nodeLoad(undefined)];

for (const load of loads) {
  test(`${load.name} sends each request of the file at most once and counts each refusal`, async (t) => {
    const { url, bodies } = await startServer(t);
    const requestFile = join(newFolder(t), 'requests');
    writeRequestFile(requestFile, numberedPosts(), inHttp(signedBy(credentials)));
    const result = await load.run({
      url,
      requestFile,
      seconds: 5,
      connections: 4,
      once: true,
      successPrefix,
    });
    const counted = bodies.slice(0, result.requests);
    assert.equal(new Set(counted).size, counted.length);
    assert.ok(result.requests > requests - 10, `${result.requests} answers`);
    assert.ok(result.failures > requests / 3 - 10 && result.failures < requests / 3 + 10);
    assert.ok(result.seconds < 4, 'the round goes on after the last request');
  });
}

function* numberedPosts() {
  for (let number = 0; number < requests; number += 1) {
    yield { method: 'POST', target: '/user/store', body: JSON.stringify({ number }) };
  }
}

/** Refuses every third request as the service does: with status 200 and a code. */
async function startServer(t: TestContext) {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    bodies.push(body);
    const refused = JSON.parse(body).number % 3 === 0;
    response.setHeader('Content-Type', 'application/json');
    const answer = JSON.stringify({ code: refused ? 1401 : 0, message: '' });
    response.setHeader('Content-Length', answer.length).end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.closeAllConnections());
  t.after(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, bodies };
}

function newFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'fieldroster-load-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}
