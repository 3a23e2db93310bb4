import type { Operations } from '@fieldroster/contract';
import { counted } from '../directory/counted.ts';
import { orgFields, requireOrg } from '../directory/orgs.ts';
import { requireRevision } from '../directory/revision.ts';
import { tooManyBound } from '../directory/too-many-bound.ts';
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
    const problem =
      children > 0 || !force ? inUse(id, users, children) : tooManyBound(`organization ${id}`, users, force);
    if (problem !== undefined) throw refuse(1303, problem);
    const unbound = await orgs.unbindUsers(id);
    await orgs.remove(id);
    return {
      result: undefined,
      changes: { id, ...orgFields.describeRemoved(org), users_unbound: unbound.length },
      more: unbound.map((userId) => ({ userId, changes: { org_id: { from: id, to: null } } })),
    };
  });

function inUse(id: bigint, users: number, children: number): string | undefined {
  if (users === 0 && children === 0) return undefined;
  const cure = children > 0 ? 'move those below it first' : 'unbind first, or send force=true';
  return `organization ${id} has ${counted(users, 'user')} and ${counted(children, 'organization')} below it; ${cure}`;
}
