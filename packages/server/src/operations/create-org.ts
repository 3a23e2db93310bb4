import type { Operations } from '@fieldroster/contract';
import { givenId } from '../directory/given-id.ts';
import { orgFields, presentManagedOrg, requireOrg } from '../directory/orgs.ts';
import type { Handler } from './handler.ts';

export const createOrg: Handler<Operations['createOrg']> = async (input, { refuse, write }) => {
  const id = givenId(input.id);
  const fields = orgFields.sent(input);
  return write(async ({ orgs }) => {
    await orgs.lockTree();
    if (fields.parentId) requireOrg(await orgs.find(fields.parentId), fields.parentId, refuse);
    const org = await orgs.insert(id, fields);
    if (org === undefined) throw refuse(1304, { key: 'orgTaken', values: { id: String(id) } });
    const changes = { id: org.id, ...orgFields.describeNew(fields) };
    return { result: presentManagedOrg(org), changes };
  });
};
