import type { Operations } from '@fieldroster/contract';
import { presentManagedOrg, requireOrg } from '../directory/orgs.ts';
import type { Handler } from './handler.ts';

export const queryOrg: Handler<Operations['queryOrg']> = async (
  { id },
  { directory, refuse, sendRevision },
) => {
  const org = requireOrg(await directory.orgs.find(id), id, refuse);
  sendRevision(org.revision);
  return presentManagedOrg(org);
};
