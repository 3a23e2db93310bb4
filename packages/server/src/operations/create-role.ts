import type { Operations } from '@fieldroster/contract';
import { givenId } from '../directory/given-id.ts';
import { presentManagedRole, roleFields } from '../directory/roles.ts';
import type { Handler } from './handler.ts';

export const createRole: Handler<Operations['createRole']> = async (input, { refuse, write }) => {
  const id = givenId(input.id);
  const fields = roleFields.sent(input);
  return write(async ({ roles }) => {
    const role = await roles.insert(id, fields);
    if (role === undefined) throw refuse(1204, { key: 'roleTaken', values: { id: String(id) } });
    const changes = { id: role.id, ...roleFields.describeNew(role) };
    return { result: presentManagedRole(role), changes };
  });
};
