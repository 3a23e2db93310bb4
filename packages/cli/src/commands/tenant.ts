import {
  createTenant,
  stringifyExactJson,
  type TenantRecord,
  tenantNameProblem,
} from '@fieldroster/server/admin';
import type { Command } from 'commander';
import { accept } from '../command-line/flag-values.ts';
import {
  addDirectoryOptions,
  type DirectoryFlags,
  withDirectoryToFill,
  withDirectoryToRead,
} from '../directory/with-directory.ts';
import { isoTime } from '../output/iso-time.ts';
import { type Listing, print, printList } from '../output/print.ts';
import { UsageError } from '../run-program.ts';

export function completeTenant(tenant: Command): void {
  tenant.addHelpText('after', '\nExample:\n  $ fieldroster tenant create acme');
  const create = tenant
    .command('create')
    .description('Create a tenant')
    .argument('[name]', 'Name of the tenant', accept(tenantNameProblem))
    .option('--name <name>', 'The name, as a flag', accept(tenantNameProblem))
    .addHelpText('after', '\nExample:\n  $ fieldroster tenant create acme --json')
    .action(makeTenant);
  addDirectoryOptions(create);
  const list = tenant
    .command('list')
    .description('List tenants')
    .addHelpText('after', '\nExample:\n  $ fieldroster tenant list --json')
    .action((flags: DirectoryFlags) =>
      withDirectoryToRead(flags, async ({ database }) =>
        printList(await database.tenants.listTenants(), listing, flags.json === true),
      ),
    );
  addDirectoryOptions(list);
}

async function makeTenant(
  argument: string | undefined,
  flags: DirectoryFlags & { name?: string },
): Promise<void> {
  const name = argument ?? flags.name;
  if (name === undefined)
    throw new UsageError('the name of the tenant is missing: fieldroster tenant create NAME');
  if (flags.name !== undefined && flags.name !== name)
    throw new UsageError(`NAME is '${name}' and --name is '${flags.name}'; give one of them`);
  const tenant = await withDirectoryToFill(flags, (directory) => createTenant(directory, name));
  await print(flags.json ? `${listing.json(tenant)}\n` : `created the tenant '${tenant.name}'\n`);
}

const listing: Listing<TenantRecord> = {
  headings: ['ID', 'NAME', 'CREATED'],
  cells: ({ id, name, createdAtMs }) => [String(id), name, isoTime(createdAtMs)],
  json: ({ id, name, createdAtMs }) => stringifyExactJson({ id, name, created_at: isoTime(createdAtMs) }),
};
