import { limits, type Operations } from '@fieldroster/contract';
import type { Problem } from '@fieldroster/contract/problems';
import type { OrgWriter } from '../database/database.ts';
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
    if (fields.parentId) await requireParent(orgs, id, fields.parentId, refuse);
    if (Object.keys(fields).length > 0) await orgs.update(id, fields);
    return { result: undefined, changes: { id, ...orgFields.describeChange(org, fields) } };
  });

async function requireParent(
  orgs: OrgWriter,
  id: bigint,
  parentId: bigint,
  refuse: (code: 1301 | 1305, message: string | Problem) => ApiError,
): Promise<void> {
  requireOrg(await orgs.find(parentId), parentId, refuse);
  const path = await orgs.listPath(parentId, limits.orgLevelsMax);
  if (path.includes(id)) {
    throw refuse(1305, { key: 'orgInItself', values: { parent: String(parentId), id: String(id) } });
  }
  refuseTooManyLevels(parentId, path.length + (await orgs.countLevels(id, limits.orgLevelsMax)));
}
