import { createReadStream } from 'node:fs';
import type { DirectoryWriter, UserToSave } from '../database/database.ts';
import { readCsvRecords } from './csv/csv-records.ts';
import { type CsvColumn, readCsvRows } from './csv/csv-rows.ts';
import { code, int64Max, integer, text } from './csv/csv-values.ts';
import type { OpenDirectory } from './open-directory.ts';
import { requireTenant } from './tenants.ts';

interface SampleUser {
  readonly username: string;
  readonly realName?: string;
  readonly email?: string;
  readonly phone?: string;
  readonly department?: string;
  readonly uniqueCode?: string;
  readonly roleId?: bigint;
  readonly orgId?: bigint;
  readonly storeCodes?: readonly string[];
  readonly status?: string;
}

const id = integer(1n, int64Max);
const value = text(0, 255);

const columns: readonly CsvColumn<SampleUser>[] = [
  { name: 'username', field: 'username', required: true, isKey: true, read: code(50) },
  { name: 'real_name', field: 'realName', required: false, read: value },
  { name: 'email', field: 'email', required: false, read: value },
  { name: 'phone', field: 'phone', required: false, read: value },
  { name: 'department', field: 'department', required: false, read: value },
  { name: 'unique_code', field: 'uniqueCode', required: false, read: value },
  { name: 'role_id', field: 'roleId', required: false, read: id },
  { name: 'org_id', field: 'orgId', required: false, read: id },
  { name: 'store_codes', field: 'storeCodes', required: false, read: (codes) => codes.split(' ') },
  { name: 'status', field: 'status', required: false, read: value },
];

/**
 * Adds the people of the sample directory to a tenant that has none, in one transaction. They have no passwords. Roles,
 * organizations and stores must be there.
 *
 * @param file path of a CSV file
 */
export async function addSampleUsers(
  { database, actor }: OpenDirectory,
  { tenant, file }: { readonly tenant: string; readonly file: string },
): Promise<void> {
  const users = await readUsers(file);
  const { id: tenantId } = await requireTenant(database, tenant);
  const event = { operation: 'serve --sample', ...(actor !== undefined && { actor }) };
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

async function readUsers(file: string): Promise<SampleUser[]> {
  const users: SampleUser[] = [];
  for await (const rows of readCsvRows(readCsvRecords(createReadStream(file)), columns, false)) {
    users.push(...rows);
  }
  return users;
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
  for (const { username, status } of users) {
    const userId = ids.get(username);
    if (status === 'disabled' && userId !== undefined)
      await directory.users.setUserStatus(userId, 'disabled');
  }
}
