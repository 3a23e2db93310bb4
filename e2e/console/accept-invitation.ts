import assert from 'node:assert/strict';
import { type ConsolePage, ownerPassword } from './console-page.ts';

interface Accepted {
  readonly data: { readonly operator: { readonly id: number } };
}

/** Makes another operator, as somebody in another browser who opens an invitation does. Returns the operator's id. */
export async function acceptInvitation(opened: ConsolePage, username: string): Promise<number> {
  const access = { role: 'viewer', all_tenants: true, tenant_ids: [], password: ownerPassword };
  const { token } = await opened.change('POST', '/operators', access);
  const response = await fetch(`${opened.origin}/console/api/link`, {
    method: 'POST',
    headers: { Origin: opened.origin, 'X-Fieldroster-Console': '1', 'Content-Type': 'application/json' },
    body: JSON.stringify({ token, username, password: 'a bicycle among the tests' }),
  });
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return (JSON.parse(text) as Accepted).data.operator.id;
}
