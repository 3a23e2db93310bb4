import {
  countExpiredLinks,
  type OpenLink,
  openLinks,
  stringifyExactJson,
  withdrawLink,
} from '@fieldroster/server/admin';
import type { Command } from 'commander';
import {
  addDirectoryOptions,
  type DirectoryFlags,
  withDirectory,
  withDirectoryToRead,
} from '../directory/with-directory.ts';
import { isoTime } from '../output/iso-time.ts';
import { type Listing, print, printList, warn } from '../output/print.ts';

/** Adds the commands for links that were printed or made in the console and not used yet. */
export function addLinkCommands(operator: Command): void {
  addLinks(operator);
  addWithdraw(operator);
}

function addLinks(operator: Command): void {
  const links = operator
    .command('links')
    .description('List the links that still work, without their tokens')
    .addHelpText('after', '\nExample:\n  $ fieldroster operator links')
    .action((flags: DirectoryFlags) =>
      withDirectoryToRead(flags, async (directory) => {
        await printList(await openLinks(directory), listing, flags.json === true);
        sayExpired(await countExpiredLinks(directory));
      }),
    );
  addDirectoryOptions(links);
}

function sayExpired(count: number): void {
  if (count === 0) return;
  const [links, it] =
    count === 1 ? ['1 link has expired and is', 'it'] : [`${count} links have expired and are`, 'they'];
  warn(`${links} not listed; if ${it} should still work, check the clock of the database's machine`);
}

function addWithdraw(operator: Command): void {
  const withdraw = operator
    .command('withdraw')
    .description('Withdraw a link, so that nobody can use it')
    .argument('<id>', 'Id of the link in operator links, or its first characters')
    .addHelpText('after', '\nExample:\n  $ fieldroster operator withdraw 3f9c2a7be01d')
    .action(async (id: string, flags: DirectoryFlags) => {
      const withdrawn = await withDirectory(flags, (directory) => withdrawLink(directory, id));
      await print(flags.json ? `${JSON.stringify({ id: withdrawn })}\n` : `withdrew ${shortId(withdrawn)}\n`);
    });
  addDirectoryOptions(withdraw);
}

const shownCharacters = 12;

/** Returns as much of a link's id as the list shows. */
export function shortId(id: string): string {
  return id.slice(0, shownCharacters);
}

const listing: Listing<OpenLink> = {
  headings: ['ID', 'PURPOSE', 'USERNAME', 'ROLE', 'TENANTS', 'MADE BY', 'EXPIRES'],
  cells: ({ id, username, role, allTenants, tenantIds, maker, expiresAtMs }) => [
    shortId(id),
    purposeOf(username),
    username ?? '',
    role,
    allTenants ? 'all' : tenantIds.join(' '),
    maker ?? 'a command',
    isoTime(expiresAtMs),
  ],
  json: ({ id, username, role, allTenants, tenantIds, maker, expiresAtMs }) =>
    stringifyExactJson({
      id,
      purpose: purposeOf(username),
      ...(username !== undefined && { username }),
      role,
      all_tenants: allTenants,
      tenant_ids: tenantIds,
      ...(maker !== undefined && { made_by: maker }),
      expires_at: isoTime(expiresAtMs),
    }),
};

function purposeOf(username: string | undefined): 'invite' | 'reset' {
  return username === undefined ? 'invite' : 'reset';
}
