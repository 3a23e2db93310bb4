import type { Operations } from '@fieldroster/contract';
import { requireRevision } from '../directory/revision.ts';
import { requireRole, roleFields } from '../directory/roles.ts';
import { tooManyBound } from '../directory/too-many-bound.ts';
import type { Handler } from './handler.ts';

export const deleteRole: Handler<Operations['deleteRole']> = (
  { id, force = false, if_revision },
  { refuse, write },
) =>
  write(async ({ roles }) => {
    const role = requireRole(await roles.lockToRemove(id, force), id, refuse);
    requireRevision(role.revision, if_revision, refuse);
    const problem = tooManyBound(`role ${id}`, await roles.countUsers(id), force);
    if (problem !== undefined) throw refuse(1203, problem);
    const unbound = await roles.unbindUsers(id);
    await roles.remove(id);
    return {
      result: undefined,
      changes: { id, ...roleFields.describeRemoved(role), users_unbound: unbound.length },
      more: unbound.map((userId) => ({ userId, changes: { role_id: { from: id, to: null } } })),
    };
  });
