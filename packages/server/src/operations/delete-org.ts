import type { Operations } from '@fieldroster/contract';
import { counted } from '../directory/counted.ts';
import { orgFields, requireOrg } from '../directory/orgs.ts';
import { requireRevision } from '../directory/revision.ts';
import type { Handler } from './handler.ts';

export const deleteOrg: Handler<Operations['deleteOrg']> = (
  { id, force = false, if_revision },
  { refuse, write },
) =>
  write(async ({ orgs }) => {
    await orgs.lockTree();
    const org = requireOrg(await orgs.lockToRemove(id, force), id, refuse);
    requireRevision(org.revision, if_revision, refuse);
    const [users, children] = [await orgs.countUsers(id), await orgs.countChildren(id)];
    // Deleting an organization never deletes others, not even with force.
    if (children > 0 || (users > 0 && !force)) throw refuse(1303, inUse(id, users, children));
    const unbound = await orgs.unbindUsers(id);
    await orgs.remove(id);
    return {
      result: undefined,
      changes: { id, ...orgFields.describeRemoved(org), users_unbound: unbound.length },
      more: unbound.map((userId) => ({ userId, changes: { org_id: { from: id, to: null } } })),
    };
  });

function inUse(id: bigint, users: number, children: number): string {
  const cure = children > 0 ? 'move those below it first' : 'unbind first, or send force=true';
  return `organization ${id} has ${counted(users, 'user')} and ${counted(children, 'organization')} below it; ${cure}`;
}
