import type { Operations } from '@fieldroster/contract';
import { presentManagedOrg, requireOrg } from '../directory/orgs.ts';
import type { RevisedHandler } from './handler.ts';
import { Revised } from './revised.ts';

export const queryOrg: RevisedHandler<Operations['queryOrg']> = async ({ id }, { directory, refuse }) => {
  const org = requireOrg(await directory.orgs.find(id), id, refuse);
  return new Revised(presentManagedOrg(org), org.revision);
};
