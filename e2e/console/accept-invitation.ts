import { type ConsolePage, ownerPassword } from './console-page.ts';
import { postElsewhere } from './post-elsewhere.ts';

interface Accepted {
  readonly operator: { readonly id: number };
}

/** Makes another operator, as somebody in another browser who opens an invitation does. Returns the operator's id. */
export async function acceptInvitation(opened: ConsolePage, username: string): Promise<number> {
  const access = { role: 'viewer', all_tenants: true, tenant_ids: [], password: ownerPassword };
  const { token } = await opened.change('POST', '/operators', access);
  const credentials = { token, username, password: 'a bicycle among the tests' };
  const { operator } = await postElsewhere<Accepted>(opened, '/link', credentials);
  return operator.id;
}
