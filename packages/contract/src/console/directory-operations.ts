import type { Access, Operation } from '../operation.ts';
import { type Operations, operations } from '../operations.ts';
import type { OperatorRole } from './console-operation.ts';

/** The signed operations that the console offers for each tenant below {@link tenantPath}, with the same handlers. */
export type DirectoryOperationKey = Exclude<keyof Operations, 'checkPassword'>;

export const tenantPath = '/tenants/:tenant';

const roleOfAccess: Readonly<Record<Access, OperatorRole>> = {
  read: 'viewer',
  write: 'manager',
  manage: 'manager',
};

/** Returns the least role that may call a signed operation from the console. */
export function roleOf({ access }: Pick<Operation, 'access'>): OperatorRole {
  return roleOfAccess[access];
}

/** Keys of the signed operations in the console. Operators do not check users' passwords. */
export const directoryOperationKeys = (Object.keys(operations) as (keyof Operations)[]).filter(
  (key): key is DirectoryOperationKey => key !== 'checkPassword',
);
