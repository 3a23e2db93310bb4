import type { Data, Operations } from '@fieldroster/contract';
import type { Problem } from '@fieldroster/contract/problems';
import type { ManagedRole, RoleFields } from '../database/database.ts';
import type { ApiError } from '../errors/api-error.ts';
import { presentRole } from './present-user.ts';
import { WireFields } from './wire-fields.ts';

export const roleFields = new WireFields<RoleFields>({
  name: 'name',
  systemId: 'system_id',
  position: 'order',
  description: 'description',
  code: 'code',
});

/** Returns the role entry of the user query, with its revision. */
export function presentManagedRole(role: ManagedRole): Data<Operations['queryRole']> {
  return { ...presentRole(role), revision: role.revision };
}

/** Throws 1201 if there is no role. */
export function requireRole(
  role: ManagedRole | undefined,
  id: bigint,
  refuse: (code: 1201, message: string | Problem) => ApiError,
): ManagedRole {
  if (role === undefined) throw refuse(1201, { key: 'noRole', values: { id: String(id) } });
  return role;
}
