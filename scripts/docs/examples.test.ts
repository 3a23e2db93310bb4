import assert from 'node:assert/strict';
import test from 'node:test';
import { type OperationKey, operations } from '@fieldroster/contract';
import { signRequest } from '@fieldroster/signing';
import { type SampleServer, startSampleServer } from '../testing/sample-server.ts';
import { exampleOrder, examples, variableFields } from './examples.ts';

test('a real server answers every documented example as documented', async (t) => {
  const server = await startSampleServer(t);
  for (const key of exampleOrder) {
    const { data } = examples[key];
    const { successMessage } = operations[key];
    const expected = { code: 0, message: successMessage, ...(data !== undefined && { data }) };
    assert.deepEqual(typesOfVariables(await send(server, key)), typesOfVariables(expected), key);
  }
});

test('every operation has an example, and each is sent', () => {
  assert.deepEqual(exampleOrder.toSorted(), Object.keys(operations).toSorted());
  assert.deepEqual(Object.keys(examples), Object.keys(operations));
});

/** Replaces each field that varies between runs with its type. */
function typesOfVariables(value: unknown): unknown {
  const plain = (name: string, part: unknown) => (variableFields.includes(name) ? typeof part : part);
  return JSON.parse(JSON.stringify(value), plain);
}

async function send({ url, appId, appSecret }: SampleServer, key: OperationKey): Promise<unknown> {
  const { method, path } = operations[key];
  const { query, body } = examples[key];
  const target = query === undefined ? path : `${path}?${new URLSearchParams(query)}`;
  const text = body === undefined ? undefined : JSON.stringify(body);
  const { headers } = signRequest({ appId, appSecret, method, target, body: text });
  const response = await fetch(url + target, {
    method,
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: text ?? null,
  });
  return response.json();
}
