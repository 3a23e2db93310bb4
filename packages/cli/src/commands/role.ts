import { importRoles, type RoleRecord, stringifyExactJson } from '@fieldroster/server/admin';
import type { Command } from 'commander';
import { addListCommands } from '../import-lists/list-commands.ts';
import type { Listing } from '../output/print.ts';

export function completeRole(role: Command): void {
  addListCommands(role, {
    noun: 'role',
    plural: 'roles',
    columns: 'id (assigned if empty), name, and optionally system_id, order, description, code',
    importList: importRoles,
    rows: ({ database }, tenantId) => database.importer.listRoles(tenantId),
    listing,
  });
}

const listing: Listing<RoleRecord> = {
  headings: ['ID', 'NAME', 'SYSTEM', 'ORDER', 'CODE', 'DESCRIPTION'],
  cells: ({ id, name, systemId, position, code = '', description }) => [
    String(id),
    name,
    String(systemId),
    String(position),
    code,
    description,
  ],
  json: ({ id, name, systemId, position, description, code }) =>
    stringifyExactJson({ id, name, system_id: systemId, order: position, description, code }),
};
