import { importOrgs, type OrgRecord, stringifyExactJson } from '@fieldroster/server/admin';
import type { Command } from 'commander';
import { addListCommands } from '../import-lists/list-commands.ts';
import type { Listing } from '../output/print.ts';

export function completeOrg(org: Command): void {
  addListCommands(org, {
    noun: 'org',
    plural: 'orgs',
    columns: 'id, name, and optionally parent_id (empty at the root)',
    importList: importOrgs,
    rows: ({ database }, tenantId) => database.importer.listOrgs(tenantId),
    listing,
  });
}

const listing: Listing<OrgRecord> = {
  headings: ['ID', 'NAME', 'PARENT'],
  cells: ({ id, name, parentId }) => [String(id), name, parentId === undefined ? '-' : String(parentId)],
  // 0 at the root, as in the interface.
  json: ({ id, name, parentId = 0n }) => stringifyExactJson({ id, name, parent_id: parentId }),
};
