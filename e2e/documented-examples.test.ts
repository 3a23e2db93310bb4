import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { type OperationKey, operations } from '@fieldroster/contract';
import { exampleOrder, variableFields } from '../scripts/docs/examples.ts';
import { startSampleServer } from '../scripts/testing/sample-server.ts';
import { repositoryRoot } from './fieldroster-command.ts';

const read = (file: string) => readFileSync(join(repositoryRoot, file), 'utf8');

/** An example of the documents, and the answer that they show. */
interface DocumentedExample {
  readonly operation: string;
  readonly command: string;
  readonly answer: string;
}

const shape = /^(?<operation>[a-z-]+)\n.*?^```bash\n(?<command>.*?)^```\n\n^```json\n(?<answer>.*?)^```/ms;

const examples = read('docs/operations.md')
  .split(/^## /m)
  .slice(1)
  .map((section) => shape.exec(section)?.groups as unknown as DocumentedExample);

const [, readmeExample = ''] = /<!-- the example:.*-->\n```bash\n(.*?)```/s.exec(read('README.md')) ?? [];

/** The README's example without its calls. */
const definition = readmeExample.replaceAll(/^send .*\n/gm, '');

/** Pastes lines into an interactive shell's place. Asynchronous, because the server runs in this process. */
async function paste(lines: string, environment: Record<string, string>): Promise<string> {
  const bash = spawn('bash', ['--noprofile', '--norc'], {
    env: { PATH: process.env.PATH, no_proxy: '127.0.0.1', ...environment },
    timeout: 60_000,
  });
  bash.stderr.pipe(process.stderr);
  bash.stdin.end(lines);
  return text(bash.stdout);
}

/** Replaces each field that varies between runs by its type. */
function withoutVariables(json: string): unknown {
  return JSON.parse(json, (name, part) => (variableFields.includes(name) ? typeof part : part));
}

function placeOf({ operation }: DocumentedExample): number {
  return exampleOrder.findIndex((key: OperationKey) => operations[key].name === operation);
}

test('every example of the documents answers as documented when it is pasted into bash', async (t) => {
  assert.equal(examples.length, Object.keys(operations).length, 'each operation has an example');
  const { url, appId, appSecret } = await startSampleServer(t);
  const environment = { BASE_URL: url, APPID: appId, APPSECRET: appSecret };
  const inOrder = examples.toSorted((a, b) => placeOf(a) - placeOf(b));
  const commands = inOrder.map(({ command }) => command).join('');
  const answers = (await paste(definition + commands, environment)).trim().split('\n');
  assert.equal(answers.length, inOrder.length);
  for (const [index, { operation, answer }] of inOrder.entries()) {
    assert.deepEqual(withoutVariables(answers[index] ?? ''), withoutVariables(answer), operation);
  }
});

test('send signs queries as servers read them, however they are encoded and ordered', async (t) => {
  const { url, appId, appSecret } = await startSampleServer(t);
  const environment = { BASE_URL: url, APPID: appId, APPSECRET: appSecret };
  const commands = [
    `send POST /user/stores '{"username":"李 娜+é"}'`,
    `send GET '/user?username=%E6%9D%8E%20%E5%A8%9C%2B%C3%A9&b=2&a=1&a-b=3&a='`,
    `send GET '/user?username=%E6%9D%8E+%E5%A8%9C%2B%C3%A9'`,
    `send GET '/user?username=李%20娜%2Bé'`,
    `send GET '/roles?'`,
  ];
  const answers = (await paste(`${definition}${commands.join('\n')}\n`, environment)).trim().split('\n');
  const codes = answers.map((answer) => (JSON.parse(answer) as { code: number }).code);
  // With a plus sign for the space, send signs the plus sign, and asks for a user with that name.
  assert.deepEqual(codes, [0, 0, 1101, 0, 0]);
});

test('the signature of the worked example is what its shell command prints', async () => {
  const page = read('docs/interface.md');
  const [, command = ''] = /```bash\n(printf .*?)```/s.exec(page) ?? [];
  const [, signature] = /Authorization: cbs:fieldapp01:(\S+)/.exec(page) ?? [];
  assert.equal((await paste(command, {})).trim(), signature);
});
