import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import {
  addSampleUsers,
  defaultTenantName,
  importOrgs,
  importRoles,
  importStores,
  type ListImport,
  type OpenDirectory,
  type OpenDirectoryOptions,
  requireTenant,
  useDirectory,
} from '@fieldroster/server/admin';
import type { ListKind } from '@fieldroster/tables';
import { readListFile } from '../import-lists/read-list-file.ts';
import { printable } from '../output/print.ts';
import { packageFile } from '../package-file.ts';
import { readSampleUsers } from './sample-users.ts';

/** The contents of the directory after a first start, one line of text for each kind. */
export interface SampleContent {
  readonly roles: string;
  readonly organizations: string;
  readonly stores: string;
  readonly users: string;
}

/**
 * Loads the sample directory on the first start, that is when no application exists. The application is created
 * last, so the next start completes one that was killed.
 *
 * @returns what the directory has; `undefined` if this is not the first start
 */
export function loadSample(place: OpenDirectoryOptions): Promise<SampleContent | undefined> {
  return useDirectory(place, async (directory) => {
    const { applications, importer } = directory.database;
    if ((await applications.listApplications()).length > 0) return undefined;
    const { id } = await requireTenant(directory.database, defaultTenantName);
    // The sample must not mix with data that an operator has imported.
    if (await isEmpty(importer.listRoles(id))) await importRoles(directory, sampleList('roles'));
    if (await isEmpty(importer.listOrgs(id))) await importOrgs(directory, sampleList('orgs'));
    if (await isEmpty(importer.listStores(id))) await importStores(directory, sampleList('stores'));
    // The people of the sample refer to its roles, organizations and stores.
    if ((await hasNoUsers(directory, id)) && (await holdsOnlySample(directory, id)))
      await addSampleUsers(directory, {
        tenant: defaultTenantName,
        users: await readSampleUsers(sampleFile('users')),
      });
    return describeContent(directory, id);
  });
}

async function describeContent({ database }: OpenDirectory, tenantId: bigint): Promise<SampleContent> {
  const { importer } = database;
  const idAndName = ({ id, name }: { id: bigint; name: string }) => `${id} ${name}`;
  return {
    roles: await listFirst(importer.listRoles(tenantId), idAndName),
    organizations: await listFirst(importer.listOrgs(tenantId), idAndName),
    stores: await listFirst(importer.listStores(tenantId), ({ code }) => code),
    users: await describeUsers(database, tenantId),
  };
}

async function holdsOnlySample({ database }: OpenDirectory, tenantId: bigint): Promise<boolean> {
  const { importer } = database;
  const idAndName = ({ id, name }: { id: bigint; name: string }) => `${id},${name}`;
  return (
    (await matchesSample('roles', importer.listRoles(tenantId), idAndName)) &&
    (await matchesSample('orgs', importer.listOrgs(tenantId), idAndName)) &&
    (await matchesSample('stores', importer.listStores(tenantId), ({ code, name }) => `${code},${name}`))
  );
}

async function matchesSample<Row>(
  name: string,
  rows: AsyncIterable<Row>,
  toStart: (row: Row) => string,
): Promise<boolean> {
  const [, ...lines] = (await readFile(sampleFile(name), 'utf8')).trimEnd().split('\n');
  // The first two columns of the sample files contain no commas or quotes.
  const left = new Set(lines.map((line) => line.split(',').slice(0, 2).join(',')));
  for await (const row of rows) if (!left.delete(toStart(row))) return false;
  return left.size === 0;
}

async function hasNoUsers({ database }: OpenDirectory, tenantId: bigint): Promise<boolean> {
  return (await listUsers(database, tenantId, 1)).length === 0;
}

async function describeUsers(database: OpenDirectory['database'], tenantId: bigint): Promise<string> {
  const users = await listUsers(database, tenantId, entriesShownMax + 1);
  const names = users.slice(0, entriesShownMax).map(({ id, username }) => `${id} ${printable(username)}`);
  if (users.length === 0) return 'none yet; the call below creates one';
  return users.length > entriesShownMax ? `${names.join(', ')}, …` : names.join(', ');
}

async function listUsers(database: OpenDirectory['database'], tenantId: bigint, limit: number) {
  const request = { filters: {}, order: 'id', after: undefined, limit } as const;
  return (await database.directory(tenantId).lists.listUsers(request)).entries;
}

/** Longer lists are cut off, because an operator may have imported a million entries. */
const entriesShownMax = 9;

async function listFirst<Row>(rows: AsyncIterable<Row>, toText: (row: Row) => string): Promise<string> {
  const shown: string[] = [];
  for await (const row of rows) {
    if (shown.length === entriesShownMax) return `${shown.join(', ')}, …`;
    shown.push(printable(toText(row)));
  }
  return shown.join(', ');
}

async function isEmpty(rows: AsyncIterable<unknown>): Promise<boolean> {
  for await (const _ of rows) return false;
  return true;
}

function sampleList(kind: ListKind): ListImport {
  const file = sampleFile(kind);
  return { tenant: defaultTenantName, file, records: readListFile(kind, { path: file }) };
}

function sampleFile(name: string): string {
  return fileURLToPath(packageFile(`sample/${name}.csv`));
}
