import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  importOrgs,
  importRoles,
  importStores,
  issueApplication,
  type OpenDirectory,
  openDirectory,
} from '@fieldroster/server/admin';
import { patientDirectory } from '../packages/server/test/test-postgres.ts';
import { listOf } from './list-of.ts';
import type { Credentials } from './signed-client.ts';

export interface Provisioned {
  /** Folder of the key, and of the embedded database. */
  readonly data: string;
  /** URL of a PostgreSQL database. */
  readonly database: string | undefined;
  /** The flags that select the database for a command. */
  readonly flags: readonly string[];
  /** Folder for a test's own files. */
  readonly folder: string;
  readonly credentials: Credentials;
  readonly storeCodes: readonly string[];
  readonly roleIds: readonly number[];
  readonly orgIds: readonly number[];
  remove(): Promise<void>;
}

const roleIds = [11, 12, 13];
const orgIds = [21, 22, 23];

/**
 * Creates a directory as an operator's commands do: an application, then roles, organizations and stores.
 *
 * @param database URL of an empty PostgreSQL database; the embedded one when left out
 */
export async function provisionDirectory(storeCount = 200, database?: string): Promise<Provisioned> {
  const folder = await mkdtemp(join(tmpdir(), 'fieldroster-e2e-'));
  const data = join(folder, 'data');
  const storeCodes = Array.from({ length: storeCount }, (_, index) => storeCodeOf(index));
  const directory = await openProvisioned({ data, database });
  const issue = { name: 'e2e', tenant: 'default', scope: 'write' } as const;
  const { appId, appSecret } = await issueApplication(directory, issue);
  await importAll(directory, storeCodes);
  await directory.database.close();
  return {
    data,
    database,
    flags: ['--data', data, ...(database === undefined ? [] : ['--database', database])],
    folder,
    credentials: { appId, appSecret },
    storeCodes,
    roleIds,
    orgIds,
    // A server that still runs may create a file meanwhile.
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }),
  };
}

/** Opens the database directly, beside any running server. */
export function openProvisioned({
  data,
  database,
}: Pick<Provisioned, 'data' | 'database'>): Promise<OpenDirectory> {
  return openDirectory({ data, environment: {}, ...(database && { ...patientDirectory, database }) });
}

async function importAll(directory: OpenDirectory, storeCodes: readonly string[]): Promise<void> {
  const roles = roleIds.map((id) => [`${id}`, `Role ${id}`, '7']);
  await importRoles(directory, listOf(['id', 'name', 'system_id'], roles));
  const orgs = orgIds.map((id) => [`${id}`, `Organization ${id}`]);
  await importOrgs(directory, listOf(['id', 'name'], orgs));
  const stores = storeCodes.map((code) => storeRow(code).split(','));
  await importStores(directory, listOf(['code', 'name', 'address'], stores));
}

export function storeCodeOf(index: number): string {
  return `S${String(index).padStart(6, '0')}`;
}

export function storeRow(code: string): string {
  return `${code},Store ${code},Street of ${code}`;
}
