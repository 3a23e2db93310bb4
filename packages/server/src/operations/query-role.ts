import type { Operations } from '@fieldroster/contract';
import { presentManagedRole, requireRole } from '../directory/roles.ts';
import type { Handler } from './handler.ts';

export const queryRole: Handler<Operations['queryRole']> = async (
  { id },
  { directory, refuse, sendRevision },
) => {
  const role = requireRole(await directory.roles.find(id), id, refuse);
  sendRevision(role.revision);
  return presentManagedRole(role);
};
