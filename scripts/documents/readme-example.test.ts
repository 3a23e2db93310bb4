import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { pasteIntoBash } from '../testing/paste-into-bash.ts';
import { startSampleServer } from '../testing/sample-server.ts';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

test('the example of the README creates a user and finds it, pasted unchanged', async (t) => {
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

test('the send of the README sends what it signs: brackets, dot segments and a body that begins with an @', async (t) => {
  const { url, appId, appSecret } = await startSampleServer(t);
  const [, definition] = /```bash\n(base_url=[\s\S]*?\n}\n)/.exec(readme) ?? [];
  assert.ok(definition !== undefined, 'the README does not define send');
  const calls = [
    `send GET '/users?search=[1-2]{a,b}&limit=1'`,
    `send GET '/user/../users?limit=1'`,
    `send POST /user '@${fileURLToPath(import.meta.url)}'`,
  ];
  const environment = { BASE_URL: url, APPID: appId, APPSECRET: appSecret };

  const answers = (await pasteIntoBash(definition + calls.join('\n'), environment)).trim().split('\n');

  const codes = answers.map((answer) => (JSON.parse(answer) as Answer).code);
  // There is no such path, and such a body is no JSON. A wrong signature would be 1014.
  assert.deepEqual(codes, [0, 1005, 1002], answers.join('\n'));
});

test('the TypeScript example of the README returns the stores of the user', async (t) => {
  const { url, appId, appSecret } = await startSampleServer(t);
  const [, example] = /<!-- the TypeScript example:.*-->\n```ts\n([\s\S]*?)```/.exec(readme) ?? [];
  assert.ok(example !== undefined, 'the README has no TypeScript example');
  const credentials = `const [appId, appSecret] = ${JSON.stringify([appId, appSecret])};\n`;
  const user = `await new FieldrosterClient({ url: '${url}', appId, appSecret }).createUser({ username: 'noa.lindgren', password: 'x' });\n`;
  const program = example.replace('http://127.0.0.1:8080', url).replace('\n\n', `\n\n${credentials}${user}`);

  const stores = await runTypeScript(program);

  for (const code of ['N-001', 'N-002']) assert.ok(stores.includes(code), stores);
});

interface Answer {
  readonly code: number;
  readonly data: { readonly id: number; readonly username: string };
}

function runTypeScript(program: string): Promise<string> {
  const flags = ['--conditions=fieldroster-source', '--input-type=module-typescript'];
  const node = spawn(process.execPath, [...flags, '--eval', program], {
    cwd: fileURLToPath(new URL('../../', import.meta.url)),
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 240_000,
  });
  return text(node.stdout);
}
