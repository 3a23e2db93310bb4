import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  defaultTenantName,
  importOrgs,
  importRoles,
  importStores,
  issueApplication,
  type OpenDirectory,
  type OpenDirectoryOptions,
  openDirectory,
  requireTenant,
} from '@fieldroster/server/admin';
import { packageFile } from '../package-file.ts';

export interface FirstApplication {
  readonly appId: string;
  readonly appSecret: string;
}

/**
 * Loads the sample directory on the first start, that is when no application exists. The application is created
 * last, so the next start completes one that was killed.
 *
 * @returns whether it is the first start
 */
export function loadSample(place: OpenDirectoryOptions): Promise<boolean> {
  return withOpen(place, async (directory) => {
    const { applications, importer } = directory.database;
    if ((await applications.listApplications()).length > 0) return false;
    const { id } = await requireTenant(directory.database, defaultTenantName);
    // The sample must not mix with data that an operator has imported.
    if (await isEmpty(importer.listRoles(id))) await importRoles(directory, sampleFile('roles'));
    if (await isEmpty(importer.listOrgs(id))) await importOrgs(directory, sampleFile('orgs'));
    if (await isEmpty(importer.listStores(id))) await importStores(directory, sampleFile('stores'));
    return true;
  });
}

/** Tolerated delay of the server's poll. */
const lateMs = 100;

/** Issues the application and waits until the server has seen it, so that the printed credentials work at once. */
export function issueFirstApplication(place: OpenDirectoryOptions): Promise<FirstApplication> {
  const request = { name: 'first application', tenant: defaultTenantName, scope: 'write' } as const;
  return withOpen(place, async (directory) => {
    const issued = await issueApplication(directory, request);
    await delay(directory.database.applications.revisionPollMs + lateMs);
    return issued;
  });
}

async function withOpen<T>(
  place: OpenDirectoryOptions,
  work: (directory: OpenDirectory) => Promise<T>,
): Promise<T> {
  const directory = await openDirectory(place);
  try {
    return await work(directory);
  } finally {
    await directory.database.close();
  }
}

async function isEmpty(rows: AsyncIterable<unknown>): Promise<boolean> {
  for await (const _ of rows) return false;
  return true;
}

function sampleFile(name: string) {
  const file = fileURLToPath(packageFile(`sample/${name}.csv`));
  return { tenant: defaultTenantName, file };
}
