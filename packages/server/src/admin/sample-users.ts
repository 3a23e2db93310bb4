import type { AuditedCommand } from '@fieldroster/contract';
import type { DirectoryWriter, UserToSave } from '../database/database.ts';
import type { OpenDirectory } from './open-directory.ts';
import { requireTenant } from './tenants.ts';

/** A person of the sample directory. What is absent stays empty. */
export interface SampleUser {
  readonly username: string;
  readonly realName?: string | undefined;
  readonly email?: string | undefined;
  readonly phone?: string | undefined;
  readonly department?: string | undefined;
  readonly uniqueCode?: string | undefined;
  readonly roleId?: bigint | undefined;
  readonly orgId?: bigint | undefined;
  readonly storeCodes?: readonly string[] | undefined;
  readonly isDisabled: boolean;
}

/**
 * Adds the people of the sample directory to a tenant that has none, in one transaction. They have no passwords. Roles,
 * organizations and stores must be there.
 */
export async function addSampleUsers(
  { database, actor }: OpenDirectory,
  { tenant, users }: { readonly tenant: string; readonly users: readonly SampleUser[] },
): Promise<void> {
  const { id: tenantId } = await requireTenant(database, tenant);
  const event = {
    operation: 'serve --sample' satisfies AuditedCommand,
    ...(actor !== undefined && { actor }),
  };
  await database.write(tenantId, undefined, async (directory) => {
    const ids = await directory.users.saveUsers(users.map(toSave));
    await disable(directory, users, ids);
    return {
      result: undefined,
      audit: { ...event, changes: { users: users.length } },
      more: users.map(({ username }) => ({
        ...event,
        userId: ids.get(username) ?? 0n,
        changes: { username },
      })),
    };
  });
}

function toSave(user: SampleUser): UserToSave {
  const { username, realName, email, phone, department, uniqueCode, roleId, orgId, storeCodes } = user;
  const fields = { realName, email, phone, department, uniqueCode };
  return {
    username,
    fields: Object.fromEntries(Object.entries(fields).filter(([, given]) => given !== undefined)),
    ...(roleId !== undefined && { roleId }),
    ...(orgId !== undefined && { orgId }),
    storesAdded: storeCodes ?? [],
    storesRemoved: [],
  };
}

async function disable(
  directory: DirectoryWriter,
  users: readonly SampleUser[],
  ids: ReadonlyMap<string, bigint>,
): Promise<void> {
  for (const { username, isDisabled } of users) {
    const userId = ids.get(username);
    if (isDisabled && userId !== undefined) await directory.users.setUserStatus(userId, 'disabled');
  }
}
