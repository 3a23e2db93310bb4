import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';

type RunProgram = (
  username: string,
  changes: NodeJS.ProcessEnv,
) => Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>;

/** Registers the tests of a program against servers that do not answer as a Fieldroster does. */
export function testFailingServers(runProgram: RunProgram): void {
  test('exits 1 and says that the answer has no code when something else answers', async () => {
    for (const body of ['{}', '[]']) {
      await using server = await listen((_, response) => void response.end(body));
      const { code, stdout, stderr } = await runProgram('somebody', { FIELDROSTER_URL: server.url });
      assert.equal(code, 1, stderr);
      assert.equal(stdout, '');
      assert.match(stderr, /code|envelope/);
      assertNoTrace(stderr);
    }
  });

  test('exits 1 and says why when the server does not speak TLS', async () => {
    await using server = await listen((_, response) => void response.end('{}'));
    const url = server.url.replace('http:', 'https:');
    const { code, stdout, stderr } = await runProgram('somebody', { FIELDROSTER_URL: url });
    assert.equal(code, 1, stderr);
    assert.equal(stdout, '');
    assert.notEqual(stderr, '');
    assertNoTrace(stderr);
  });

  test('exits 1 and says why when the server never answers', async () => {
    await using server = await listen(() => {});
    const { code, stdout, stderr } = await runProgram('somebody', {
      FIELDROSTER_URL: server.url,
      FIELDROSTER_TIMEOUT_SECONDS: '1',
    });
    assert.equal(code, 1, stderr);
    assert.equal(stdout, '');
    assert.notEqual(stderr, '');
    assertNoTrace(stderr);
  });
}

/** A reader should see what went wrong, not where in the program, nor a setting that is not to blame. */
function assertNoTrace(stderr: string): void {
  assert.doesNotMatch(
    stderr,
    /Traceback|^\s+at |\.\w+:\d+:in |Warning|Exception|panic|environment variable/im,
  );
  assert(stderr.trimEnd().split('\n').length <= 2, stderr);
}

async function listen(answer: RequestListener) {
  const server = createServer((request, response) => {
    request.resume();
    answer(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: close };
}
