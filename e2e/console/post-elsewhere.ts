import assert from 'node:assert/strict';
import type { ConsolePage } from './console-page.ts';

/**
 * Sends a change to the console's interface as a page of another browser does, which has no session. Returns the data of
 * the answer.
 */
export async function postElsewhere<Data>(opened: ConsolePage, path: string, body: object): Promise<Data> {
  const response = await fetch(`${opened.origin}/console/api${path}`, {
    method: 'POST',
    headers: { Origin: opened.origin, 'X-Fieldroster-Console': '1', 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return (JSON.parse(text) as { readonly data: Data }).data;
}
