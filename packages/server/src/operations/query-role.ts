import type { Operations } from '@fieldroster/contract';
import { presentManagedRole, requireRole } from '../directory/roles.ts';
import type { HandlerWithRevision } from './handler.ts';
import { WithRevision } from './with-revision.ts';

export const queryRole: HandlerWithRevision<Operations['queryRole']> = async (
  { id },
  { directory, refuse },
) => {
  const role = requireRole(await directory.roles.find(id), id, refuse);
  return new WithRevision(presentManagedRole(role), role.revision);
};
