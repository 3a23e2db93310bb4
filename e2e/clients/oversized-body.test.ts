import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type Provisioned, provisionDirectory } from '../provision-directory.ts';
import { ServerProcess } from '../server-process.ts';
import { isAvailable, quickJava, readAnswers, runProgram } from './run-program.ts';

interface Answer {
  readonly status: number;
  readonly code: number;
}

const mebibyte = 1024 * 1024;
const oversized = [
  ['/user/stores', 9 * mebibyte],
  ['/user', 2 * mebibyte],
] as const;

describe('a client that sends a body over the limit reads the envelope, not a connection reset', () => {
  let directory: Provisioned;
  let server: ServerProcess;

  before(async () => {
    directory = await provisionDirectory(1);
    server = await ServerProcess.start(directory);
  });

  after(async () => {
    await server.kill();
    await directory.remove();
  });

  for (const [path, bytes] of oversized) {
    test(`Python http.client, ${bytes} bytes to ${path}`, async () => {
      const given = ['oversized_body.py', server.url, path, String(bytes)];
      assert.deepEqual(await readAnswers<Answer>('python3', given), [{ status: 413, code: 1004 }]);
    });

    for (const expectation of ['with', 'without']) {
      test(`curl ${expectation} Expect: 100-continue, ${bytes} bytes to ${path}`, async () => {
        const file = join(directory.folder, 'body');
        await writeFile(file, Buffer.alloc(bytes, 'x'));
        const header = expectation === 'with' ? 'Expect: 100-continue' : 'Expect:';
        const written = ['--write-out', '\n%{http_code}', '--header', header, '--data-binary', `@${file}`];
        const result = await runProgram('curl', ['--silent', '--show-error', ...written, server.url + path]);
        assert.equal(result.exitCode, 0, result.stderr);
        const [body = '', status] = result.stdout.split('\n');
        assert.deepEqual([(JSON.parse(body) as Answer).code, status], [1004, '413']);
      });
    }
  }

  test('Java HttpURLConnection, both', async (t) => {
    if (!isAvailable('java', (text) => t.diagnostic(text))) return;
    const given = [...quickJava, 'OversizedBody.java', server.url, ...oversized.flat().map(String)];
    const answer = { status: 413, code: 1004 };
    assert.deepEqual(await readAnswers<Answer>('java', given), [answer, answer]);
  });
});
