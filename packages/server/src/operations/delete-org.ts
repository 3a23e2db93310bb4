import type { Operations } from '@fieldroster/contract';
import { orgFields, requireOrg } from '../directory/orgs.ts';
import { removeTarget } from '../directory/remove-target.ts';
import { boundUsersMax, countedUsers, tooManyBound } from '../directory/too-many-bound.ts';
import { counted } from '../words/counted.ts';
import type { Handler } from './handler.ts';

export const deleteOrg: Handler<Operations['deleteOrg']> = async (
  { id, force = false, if_revision: ifRevision },
  { directory, refuse, writeMany },
) => {
  const rows = force ? await directory.orgs.countUsers(id, boundUsersMax) : 0;
  return writeMany(rows, async ({ orgs }, requireTimeFor) => {
    const moveRest = 'give the rest another organization first';
    const { removed, unbound } = await removeTarget(orgs, id, {
      force,
      ifRevision,
      async lock() {
        await orgs.lockTree();
        return requireOrg(await orgs.lockToRemove(id, force), id, refuse);
      },
      problemWith: async (users) =>
        hasOrgsBelow(id, users, await orgs.countChildren(id)) ??
        tooManyBound({ name: `organization ${id}`, moveRest, users, force }),
      code: 1303,
      refuse,
      requireTimeFor,
    });
    return {
      result: undefined,
      changes: { id, ...orgFields.describeRemoved(removed), users_unbound: unbound.length },
      more: unbound.map((userId) => ({ userId, changes: { org_id: { from: id, to: null } } })),
    };
  });
};

/** Deleting an organization never deletes others, not even with force. */
function hasOrgsBelow(id: bigint, users: number, children: number): string | undefined {
  if (children === 0) return undefined;
  const bound = users === 0 ? '' : `${countedUsers(users)} and `;
  return `organization ${id} has ${bound}${counted(children, 'organization')} below it; move those below it first`;
}
