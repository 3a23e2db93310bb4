import { importStores, type StoreRecord } from '@fieldroster/server/admin';
import type { Command } from 'commander';
import { addListCommands } from '../import-lists/list-commands.ts';
import type { Listing } from '../output/print.ts';

export function completeStore(store: Command): void {
  addListCommands(store, {
    noun: 'store',
    plural: 'stores',
    columns: 'code, name, and optionally address',
    importList: importStores,
    rows: (directory, tenantId) => directory.database.importer.listStores(tenantId),
    listing,
  });
}

const listing: Listing<StoreRecord> = {
  headings: ['CODE', 'NAME', 'ADDRESS'],
  cells: ({ code, name, address }) => [code, name, address],
  json: ({ code, name, address }) => JSON.stringify({ code, name, address }),
};
