import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { brunoCollection } from '../../scripts/collections/bruno-collection.ts';
import { type ReadRequest, testCollection } from './collections/collection-suite.ts';
import { type Draft, replaceVariables, runScript, type SentRequest } from './collections/run-script.ts';

const folder = fileURLToPath(new URL('../../examples/bruno', import.meta.url));
const names = globSync('**/*.{bru,json}', { cwd: folder });
const files = new Map(names.map((name) => [name, readFileSync(`${folder}/${name}`, 'utf8')]));

/** Returns a block's lines without their indentation; `undefined` when the file has no such block. */
function blockOf(file: string, name: string): string | undefined {
  const text = files.get(file) ?? '';
  const start = text.indexOf(`${name} {\n`);
  if (start !== 0 && text[start - 1] !== '\n') return undefined;
  const body = text.slice(text.indexOf('\n', start) + 1, text.indexOf('\n}\n', start));
  return body.replace(/^ {2}/gm, '');
}

function readRequest(file: string): ReadRequest & { readonly seq: number } {
  const meta = blockOf(file, 'meta') ?? '';
  const method = ['get', 'post', 'put', 'delete'].find((name) => blockOf(file, name) !== undefined) ?? '';
  return {
    seq: Number(lineOf(meta, 'seq')),
    name: lineOf(meta, 'name'),
    method: method.toUpperCase(),
    url: lineOf(blockOf(file, method) ?? '', 'url'),
    body: blockOf(file, 'body:json') ?? '',
  };
}

function lineOf(block: string, name: string): string {
  return new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? '';
}

/** The objects of Bruno's sandbox that the script uses, over a request that it may change. */
function sign(draft: Draft): SentRequest {
  const sent = { method: draft.method, url: draft.url, body: draft.body };
  const headers: Record<string, string> = {};
  const req = {
    getMethod: () => sent.method,
    getUrl: () => sent.url,
    setUrl(url: string) {
      sent.url = url;
    },
    getBody(options: { raw: boolean }) {
      demandRaw(options);
      return sent.body === '' ? undefined : sent.body;
    },
    setBody(body: string, options: { raw: boolean }) {
      demandRaw(options);
      sent.body = body;
    },
    setHeader(name: string, value: string) {
      headers[name] = value;
    },
  };
  const bru = { interpolate: (template: string) => replaceVariables(template, draft.variables) };
  runScript(blockOf('collection.bru', 'script:pre-request') ?? '', draft, { req, bru });
  return { ...sent, headers };
}

function demandRaw({ raw }: { raw: boolean }): void {
  assert.equal(raw, true, 'a body that Bruno parses has its ids rounded');
}

function readUserId(answer: string): string | undefined {
  const kept = new Map<string, string>();
  const bru = { setVar: (name: string, value: string) => kept.set(name, value) };
  const parsing = { on: true };
  const req = {
    disableParsingResponseJson() {
      parsing.on = false;
    },
  };
  runScript(blockOf('create-user.bru', 'script:pre-request') ?? '', emptyDraft, { req });
  const res = { getBody: () => (parsing.on ? JSON.parse(answer) : answer) };
  runScript(blockOf('create-user.bru', 'script:post-response') ?? '', emptyDraft, { res, bru });
  return kept.get('user_id');
}

const emptyDraft: Draft = { method: 'GET', url: '', body: '', variables: new Map(), nonce: '' };

test('the Bruno collection is what scripts/collections/write-collections.ts writes', () => {
  assert.deepEqual(files, new Map(brunoCollection()));
});

test('every request of the Bruno collection leaves the encoding of the query to the script', () => {
  const requests = names.filter((name) => files.get(name)?.startsWith('meta {'));
  assert.equal(requests.length, 12);
  for (const name of requests) assert.equal(blockOf(name, 'settings'), 'encodeUrl: false');
});

testCollection({
  tool: 'Bruno',
  requests: names
    .filter((name) => files.get(name)?.startsWith('meta {'))
    .map(readRequest)
    .sort((a, b) => a.seq - b.seq),
  sign,
  readUserId,
});
