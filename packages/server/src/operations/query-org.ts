import type { Operations } from '@fieldroster/contract';
import { presentManagedOrg, requireOrg } from '../directory/orgs.ts';
import type { HandlerWithRevision } from './handler.ts';
import { WithRevision } from './with-revision.ts';

export const queryOrg: HandlerWithRevision<Operations['queryOrg']> = async (
  { id },
  { directory, refuse },
) => {
  const org = requireOrg(await directory.orgs.find(id), id, refuse);
  return new WithRevision(presentManagedOrg(org), org.revision);
};
