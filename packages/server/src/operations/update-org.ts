import { limits, type Operations } from '@fieldroster/contract';
import type { Problem } from '@fieldroster/contract/problems';
import type { ManagedOrg, OrgWriter } from '../database/database.ts';
import { orgFields, refuseTooManyLevels, requireOrg } from '../directory/orgs.ts';
import { requireRevision } from '../directory/revision.ts';
import type { ApiError } from '../errors/api-error.ts';
import type { Handler } from './handler.ts';

export const updateOrg: Handler<Operations['updateOrg']> = (input, { refuse, write }) =>
  write(async ({ orgs }) => {
    const { id } = input;
    // Two concurrent moves, each valid alone, could form a cycle together.
    if (input.parent_id !== undefined) await orgs.lockTree();
    const org = requireOrg(await orgs.lock(id), id, refuse);
    requireRevision(org.revision, input.if_revision, refuse);
    const fields = orgFields.differing(org, orgFields.sent(input));
    if (fields.parentId) await requireParent(orgs, org, fields.parentId, refuse);
    if (Object.keys(fields).length > 0) await orgs.update(id, fields);
    return { result: undefined, changes: { id, ...orgFields.describeChange(org, fields) } };
  });

async function requireParent(
  orgs: OrgWriter,
  { id, parentId: parentBefore = 0n }: ManagedOrg,
  parentId: bigint,
  refuse: (code: 1301 | 1305, message: string | Problem) => ApiError,
): Promise<void> {
  requireOrg(await orgs.find(parentId), parentId, refuse);
  const max = limits.orgLevelsMax;
  const path = await orgs.listPath(parentId, max);
  if (path.includes(id)) {
    throw refuse(1305, { key: 'orgInItself', values: { parent: String(parentId), id: String(id) } });
  }
  // A move that goes no further down adds no levels, so nothing below has to be read.
  const pathBefore = await orgs.listPath(parentBefore, max);
  if (path.length <= pathBefore.length) return;
  refuseTooManyLevels(parentId, path.length + (await orgs.countLevels(id, max - path.length + 1)));
}
