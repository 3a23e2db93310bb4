import type { Operations } from '@fieldroster/contract';
import { presentManagedRole, requireRole } from '../directory/roles.ts';
import type { RevisedHandler } from './handler.ts';
import { Revised } from './revised.ts';

export const queryRole: RevisedHandler<Operations['queryRole']> = async ({ id }, { directory, refuse }) => {
  const role = requireRole(await directory.roles.find(id), id, refuse);
  return new Revised(presentManagedRole(role), role.revision);
};
