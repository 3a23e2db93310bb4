import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type OpenApiDocument, readErrorCodes, readOperations } from './operations.ts';
import { search, searchEntries } from './search-index.ts';

const file = new URL('../../../../../../docs/openapi.json', import.meta.url);
const document = JSON.parse(readFileSync(file, 'utf8')) as OpenApiDocument;
const guide = { name: 'retries', title: 'Retries', summary: '', keywords: 'again 1015', view: () => never() };
const entries = searchEntries(readOperations(document), readErrorCodes(document), [guide]);

function never(): never {
  throw new Error('the search draws no page');
}

function found(text: string): string[] {
  return search(entries, text).map(({ kind, address }) => `${kind} ${address}`);
}

test('a code is found by its number, with the guide that explains it', () => {
  assert.deepEqual(found('1015'), ['code #/codes/1015', 'guide #/retries']);
});

test('a field is found in every input and answer that has it', () => {
  const all = found('org_id');
  assert(all.includes('field #/bind-user-org/org_id'), all.join('\n'));
  assert(all.includes('field #/list-users/org_id'));
  assert.equal(found('org_id bind')[0], 'field #/bind-user-org/org_id', 'the exact name comes first');
  assert(found('revision').includes(`field #/list-roles/${encodeURIComponent('roles[].revision')}`));
});

test('an operation is found by its name, its path and its words', () => {
  for (const text of ['bindUserStore', 'bind-user-store', 'bind store', 'POST /user/store']) {
    assert(found(text).includes('operation #/bind-user-store'), text);
  }
});

test('unknown words find nothing, and an empty search finds nothing', () => {
  assert.deepEqual(found('xyzzy'), []);
  assert.deepEqual(found('  '), []);
});
