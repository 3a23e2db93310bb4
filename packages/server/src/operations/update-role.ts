import type { Operations } from '@fieldroster/contract';
import { requireRevision } from '../directory/revision.ts';
import { requireRole, roleFields } from '../directory/roles.ts';
import type { Handler } from './handler.ts';

export const updateRole: Handler<Operations['updateRole']> = (input, { refuse, write }) =>
  write(async ({ roles }) => {
    const { id } = input;
    const role = requireRole(await roles.lock(id), id, refuse);
    requireRevision(role.revision, input.if_revision, refuse);
    const fields = roleFields.differing(role, roleFields.sent(input));
    if (Object.keys(fields).length > 0) await roles.update(id, fields);
    return { result: undefined, changes: { id, ...roleFields.describeChange(role, fields) } };
  });
