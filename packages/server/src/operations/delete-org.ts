import type { Operations } from '@fieldroster/contract';
import { orgFields, requireOrg } from '../directory/orgs.ts';
import { requireRevision } from '../directory/revision.ts';
import { boundUsersMax, countedUsers, tooManyBound } from '../directory/too-many-bound.ts';
import { counted } from '../words/counted.ts';
import type { Handler } from './handler.ts';

export const deleteOrg: Handler<Operations['deleteOrg']> = async (
  { id, force = false, if_revision },
  { directory, refuse, writeMany },
) => {
  const rows = force ? await directory.orgs.countUsers(id, boundUsersMax) : 0;
  return writeMany(rows, async ({ orgs }, requireTimeFor) => {
    const requireNothingLeft = async () => {
      const [users, children] = [await orgs.countUsers(id, boundUsersMax), await orgs.countChildren(id)];
      const moveRest = 'give the rest another organization first';
      const problem =
        hasOrgsBelow(id, users, children) ??
        tooManyBound({ name: `organization ${id}`, moveRest, users, force });
      if (problem !== undefined) throw refuse(1303, problem);
      return users;
    };
    // Very many users are not locked only for the removal to be refused.
    if (force) requireTimeFor(await requireNothingLeft());
    await orgs.lockTree();
    const org = requireOrg(await orgs.lockToRemove(id, force), id, refuse);
    requireRevision(org.revision, if_revision, refuse);
    requireTimeFor(await requireNothingLeft());
    const unbound = await orgs.unbindUsers(id);
    await orgs.remove(id);
    return {
      result: undefined,
      changes: { id, ...orgFields.describeRemoved(org), users_unbound: unbound.length },
      more: unbound.map((userId) => ({ userId, changes: { org_id: { from: id, to: null } } })),
    };
  });
};

/** Deleting an organization never deletes others, not even with force. */
function hasOrgsBelow(id: bigint, users: number, children: number): string | undefined {
  if (children === 0) return undefined;
  return `organization ${id} has ${countedUsers(users)} and ${counted(children, 'organization')} below it; move those below it first`;
}
