import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { startSampleServer } from './testing/sample-server.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

test('the example of the README creates a user and finds it, pasted as it stands', async (t) => {
  const { url, appId, appSecret } = await startSampleServer(t);
  const [, example] = /<!-- the example:.*-->\n```bash\n([\s\S]*?)```/.exec(readme) ?? [];
  assert.ok(example !== undefined, 'the README has no example');
  const environment = { BASE_URL: url, APPID: appId, APPSECRET: appSecret };

  const [created, found, ...rest] = (await pasteIntoBash(example, environment)).trim().split('\n');

  assert.deepEqual(rest, []);
  const { code, data } = JSON.parse(String(created)) as Answer;
  assert.equal(code, 0, String(created));
  const answer = JSON.parse(found ?? '') as Answer;
  assert.equal(answer.code, 0, String(found));
  assert.deepEqual([answer.data.id, answer.data.username], [data.id, data.username]);
});

interface Answer {
  readonly code: number;
  readonly data: { readonly id: number; readonly username: string };
}

/** Asynchronous, as the server that answers runs in this process. */
async function pasteIntoBash(lines: string, environment: Record<string, string>): Promise<string> {
  const bash = spawn('bash', ['--noprofile', '--norc'], {
    env: { PATH: process.env.PATH, no_proxy: '127.0.0.1', ...environment },
    timeout: 30_000,
  });
  bash.stderr.pipe(process.stderr);
  bash.stdin.end(lines);
  const chunks: Buffer[] = [];
  for await (const chunk of bash.stdout) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
