import { stringifyExactJson, type UserEntry } from '@fieldroster/client';
import type { Command } from 'commander';
import { addCallOptions, type CallFlags } from '../call/credentials.ts';
import { countBetween } from '../command-line/flag-values.ts';
import { type Listing, printList } from '../output/print.ts';
import { addFilterOptions, type FilterFlags, filtersOf } from './user-filters.ts';

type ListFlags = CallFlags & FilterFlags & { readonly max?: number; readonly json?: true };

export function addUserList(user: Command): void {
  const list = user.command('list').description('List the users that match every filter');
  addFilterOptions(list).option(
    '--max <users>',
    'Stop after this many users',
    countBetween(1, Number.MAX_SAFE_INTEGER),
  );
  addCallOptions(list)
    .option('--json', 'Print JSON for scripts')
    .addHelpText('after', '\nExample:\n  $ fieldroster user list --org 20 --include-children --unbound store')
    .action(runList);
}

async function runList(flags: ListFlags): Promise<void> {
  const { withClient } = await import('../call/open-client.ts');
  await withClient(flags, (client) =>
    printList(take(client.users(filtersOf(flags)), flags.max), listing, flags.json === true),
  );
}

async function* take<Row>(rows: AsyncIterable<Row>, max = Number.POSITIVE_INFINITY): AsyncIterable<Row> {
  let taken = 0;
  for await (const row of rows) {
    yield row;
    taken += 1;
    if (taken >= max) return;
  }
}

const listing: Listing<UserEntry> = {
  headings: ['ID', 'USERNAME', 'NAME', 'PHONE', 'DEPARTMENT', 'ROLE', 'ORG', 'STATUS'],
  cells: ({ id, username, real_name, phone, department, roles, orgs, status }) => [
    String(id),
    username,
    real_name,
    phone,
    department,
    ...[roles[0], orgs[0]].map((target) => (target === undefined ? '-' : target.name)),
    status,
  ],
  json: stringifyExactJson,
};
