import type { Operations } from '@fieldroster/contract';
import { requireRevision } from '../directory/revision.ts';
import { requireRole, roleFields } from '../directory/roles.ts';
import { boundUsersMax, tooManyBound } from '../directory/too-many-bound.ts';
import type { Handler } from './handler.ts';

export const deleteRole: Handler<Operations['deleteRole']> = async (
  { id, force = false, if_revision },
  { directory, refuse, writeMany },
) => {
  const rows = force ? await directory.roles.countUsers(id, boundUsersMax) : 0;
  return writeMany(rows, async ({ roles }, requireTimeFor) => {
    const requireFewUsers = async () => {
      const users = await roles.countUsers(id, boundUsersMax);
      const moveRest = 'give the rest another role first';
      const problem = tooManyBound({ name: `role ${id}`, moveRest, users, force });
      if (problem !== undefined) throw refuse(1203, problem);
      return users;
    };
    // Very many users are not locked only for the removal to be refused.
    if (force) requireTimeFor(await requireFewUsers());
    const role = requireRole(await roles.lockToRemove(id, force), id, refuse);
    requireRevision(role.revision, if_revision, refuse);
    requireTimeFor(await requireFewUsers());
    const unbound = await roles.unbindUsers(id);
    await roles.remove(id);
    return {
      result: undefined,
      changes: { id, ...roleFields.describeRemoved(role), users_unbound: unbound.length },
      more: unbound.map((userId) => ({ userId, changes: { role_id: { from: id, to: null } } })),
    };
  });
};
