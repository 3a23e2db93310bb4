import type { Operations } from '@fieldroster/contract';
import { counted } from '../directory/counted.ts';
import { requireRevision } from '../directory/revision.ts';
import { requireRole, roleFields } from '../directory/roles.ts';
import type { Handler } from './handler.ts';

export const deleteRole: Handler<Operations['deleteRole']> = (
  { id, force = false, if_revision },
  { refuse, write },
) =>
  write(async ({ roles }) => {
    const role = requireRole(await roles.lockToRemove(id, force), id, refuse);
    requireRevision(role.revision, if_revision, refuse);
    const users = await roles.countUsers(id);
    if (users > 0 && !force) {
      throw refuse(1203, `role ${id} has ${counted(users, 'user')}; unbind them first, or send force=true`);
    }
    const unbound = await roles.unbindUsers(id);
    await roles.remove(id);
    return {
      result: undefined,
      changes: { id, ...roleFields.describeRemoved(role), users_unbound: unbound.length },
      more: unbound.map((userId) => ({ userId, changes: { role_id: { from: id, to: null } } })),
    };
  });
