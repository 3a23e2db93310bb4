import type { Operations } from '@fieldroster/contract';
import { removeTarget } from '../directory/remove-target.ts';
import { requireRole, roleFields } from '../directory/roles.ts';
import { boundUsersMax, tooManyBound } from '../directory/too-many-bound.ts';
import type { Handler } from './handler.ts';

export const deleteRole: Handler<Operations['deleteRole']> = async (
  { id, force = false, if_revision: ifRevision },
  { directory, refuse, writeMany },
) => {
  const rows = force ? await directory.roles.countUsers(id, boundUsersMax) : 0;
  return writeMany(rows, async ({ roles }, requireTimeFor) => {
    const moveRest = 'give the rest another role first';
    const { removed, unbound } = await removeTarget(roles, id, {
      force,
      ifRevision,
      lock: async () => requireRole(await roles.lockToRemove(id, force), id, refuse),
      problemWith: (users) => tooManyBound({ name: `role ${id}`, moveRest, users, force }),
      code: 1203,
      refuse,
      requireTimeFor,
    });
    return {
      result: undefined,
      changes: { id, ...roleFields.describeRemoved(removed), users_unbound: unbound.length },
      more: unbound.map((userId) => ({ userId, changes: { role_id: { from: id, to: null } } })),
    };
  });
};
