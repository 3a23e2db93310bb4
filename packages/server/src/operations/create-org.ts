import { limits, type Operations } from '@fieldroster/contract';
import type { Problem } from '@fieldroster/contract/problems';
import type { OrgWriter } from '../database/database.ts';
import { givenId } from '../directory/given-id.ts';
import { orgFields, presentManagedOrg, refuseTooManyLevels, requireOrg } from '../directory/orgs.ts';
import type { ApiError } from '../errors/api-error.ts';
import type { Handler } from './handler.ts';

export const createOrg: Handler<Operations['createOrg']> = async (input, { refuse, write }) => {
  const id = givenId(input.id);
  const fields = orgFields.sent(input);
  return write(async ({ orgs }) => {
    await orgs.lockTree();
    if (fields.parentId) await requireParent(orgs, fields.parentId, refuse);
    const org = await orgs.insert(id, fields);
    if (org === undefined) throw refuse(1304, { key: 'orgTaken', values: { id: String(id) } });
    const changes = { id: org.id, ...orgFields.describeNew(org) };
    return { result: presentManagedOrg(org), changes };
  });
};

async function requireParent(
  orgs: OrgWriter,
  parentId: bigint,
  refuse: (code: 1301, message: string | Problem) => ApiError,
): Promise<void> {
  requireOrg(await orgs.find(parentId), parentId, refuse);
  const path = await orgs.listPath(parentId, limits.orgLevelsMax);
  refuseTooManyLevels(parentId, path.length + 1);
}
