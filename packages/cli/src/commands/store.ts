import { importStores, type StoreRecord } from '@fieldroster/server/admin';
import type { Command } from 'commander';
import type { Listing } from '../output/print.ts';
import { addFileCommands } from '../targets/file-commands.ts';

export function completeStore(store: Command): void {
  addFileCommands(store, {
    noun: 'store',
    plural: 'stores',
    columns: 'code, name, and optionally address',
    importFile: importStores,
    rows: (directory, tenantId) => directory.database.importer.listStores(tenantId),
    listing,
  });
}

const listing: Listing<StoreRecord> = {
  headings: ['CODE', 'NAME', 'ADDRESS'],
  cells: ({ code, name, address }) => [code, name, address],
  json: ({ code, name, address }) => JSON.stringify({ code, name, address }),
};
