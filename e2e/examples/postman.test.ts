import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { postmanCollection } from '../../scripts/collections/postman-collection.ts';
import { testCollection } from './collections/collection-suite.ts';
import { type Draft, replaceVariables, runScript, type SentRequest } from './collections/run-script.ts';

interface Event {
  readonly listen: string;
  readonly script: { readonly exec: readonly string[] };
}

interface Item {
  readonly name: string;
  readonly request: {
    readonly method: string;
    readonly url: { readonly raw: string };
    readonly body?: { readonly raw: string };
  };
  readonly event?: readonly Event[];
}

interface Collection {
  readonly item: readonly Item[];
  readonly event: readonly Event[];
}

const file = new URL('../../examples/postman/fieldroster.postman_collection.json', import.meta.url);
const text = readFileSync(file, 'utf8');
const { item: items, event: events } = JSON.parse(text) as Collection;

function scriptOf(listen: string, candidates: readonly Event[] = []): string {
  const found = candidates.find((event) => event.listen === listen);
  assert.ok(found, `there is a ${listen} script`);
  return found.script.exec.join('\n');
}

/** The objects of Postman's sandbox that the script uses, over a request that it may change. */
function sign(draft: Draft): SentRequest {
  const sent = { method: draft.method, url: draft.url, body: draft.body };
  const headers: Record<string, string> = {};
  const variables = new Map([...draft.variables, ['$randomUUID', draft.nonce]]);
  const url = {
    toString: () => sent.url,
    update(value: string) {
      sent.url = value;
    },
  };
  const body = {
    toString: () => sent.body,
    update({ mode, raw }: { mode: string; raw: string }) {
      assert.equal(mode, 'raw');
      sent.body = raw;
    },
  };
  const headerList = {
    upsert({ key, value }: { key: string; value: string }) {
      headers[key] = value;
    },
  };
  const pm = {
    variables: { replaceIn: (template: string) => replaceVariables(template, variables) },
    request: { method: sent.method, url, body, headers: headerList },
  };
  runScript(scriptOf('prerequest', events), draft, { pm });
  return { ...sent, headers };
}

function readUserId(answer: string): string | undefined {
  const kept = new Map<string, string>();
  const pm = { response: { text: () => answer }, collectionVariables: kept };
  runScript(scriptOf('test', items[0]?.event), emptyDraft, { pm });
  return kept.get('user_id');
}

const emptyDraft: Draft = { method: 'GET', url: '', body: '', variables: new Map(), nonce: '' };

test('the Postman collection is what scripts/collections/write-collections.ts writes', () => {
  assert.equal(text, postmanCollection());
});

testCollection({
  tool: 'Postman',
  requests: items.map(({ name, request: { method, url, body } }) => {
    return { name, method, url: url.raw, body: body?.raw ?? '' };
  }),
  sign,
  readUserId,
});
