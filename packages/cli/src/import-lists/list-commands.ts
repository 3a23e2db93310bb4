import {
  defaultTenantName,
  type ImportChange,
  type ImportCounts,
  type ListImport,
  type OpenDirectory,
  requireTenant,
  stringifyExactJson,
} from '@fieldroster/server/admin';
import { type ListKind, listFields } from '@fieldroster/tables';
import type { Command } from 'commander';
import {
  addDirectoryOptions,
  type DirectoryFlags,
  withDirectoryToFill,
  withDirectoryToRead,
} from '../directory/with-directory.ts';
import { requireReadable } from '../files/file-faults.ts';
import { describeField, describeRow } from '../import/describe-changes.ts';
import { addColumnOptions, addTextOptions } from '../import/file-options.ts';
import { type Listing, print, printList } from '../output/print.ts';
import { withProgressBar } from '../output/with-progress-bar.ts';
import { type ListFile, readListFile } from './read-list-file.ts';

/** The differences between `role`, `org` and `store`. */
export interface ListCommands<Row> {
  readonly noun: string;
  readonly plural: ListKind;
  /** The columns of a file, as shown in the help. */
  readonly columns: string;
  readonly importList: (directory: OpenDirectory, request: ListImport) => Promise<Counts>;
  readonly rows: (directory: OpenDirectory, tenantId: bigint) => AsyncIterable<Row>;
  readonly listing: Listing<Row>;
}

type Counts = ImportCounts & { readonly assignedIds?: readonly bigint[] };

type TenantFlags = DirectoryFlags & { readonly tenant: string };

interface ImportFlags extends TenantFlags, Omit<ListFile, 'path' | 'onProgress'> {
  readonly dryRun?: true;
  readonly clearEmpty?: true;
}

/** Adds `import` and `list`. */
export function addListCommands<Row>(group: Command, commands: ListCommands<Row>): void {
  const { noun, plural, columns, rows, listing } = commands;
  group.addHelpText('after', `\nExample:\n  $ fieldroster ${noun} import ${plural}.csv`);
  const load = group
    .command('import')
    .description(`Import ${plural} from a file: all of its lines or none`)
    .argument('<file>', `CSV file, or Excel workbook (.xlsx), whose first line names its columns: ${columns}`)
    .option('--dry-run', 'Print what would change, and change nothing');
  addColumnOptions(load, Object.keys(listFields[plural])).option(
    '--clear-empty',
    'Let an empty cell clear its value; otherwise it keeps the value',
  );
  addTextOptions(load)
    .addHelpText(
      'after',
      `\nExample:\n  $ fieldroster ${noun} import ${plural}.csv --dry-run\n  $ fieldroster ${noun} import ${plural}.csv --tenant default --json`,
    )
    .action((file: string, flags: ImportFlags) => runImport(file, flags, commands));
  const list = group
    .command('list')
    .description(`List ${plural}`)
    .addHelpText('after', `\nExample:\n  $ fieldroster ${noun} list --tenant default --json`)
    .action((flags: TenantFlags) =>
      withDirectoryToRead(flags, async (directory) => {
        const tenant = await requireTenant(directory.database, flags.tenant);
        await printList(rows(directory, tenant.id), listing, flags.json === true);
      }),
    );
  for (const command of [load, list]) {
    addDirectoryOptions(command.option('--tenant <tenant>', `Tenant of the ${plural}`, defaultTenantName));
  }
}

async function runImport<Row>(file: string, flags: ImportFlags, commands: ListCommands<Row>): Promise<void> {
  const { size } = requireReadable(file);
  if (flags.dryRun === true) return tryImport(file, flags, commands);
  const counts = await withDirectoryToFill(flags, (directory) =>
    withProgressBar('{eta_formatted} left', size, (onProgress) =>
      commands.importList(directory, requestOf(file, flags, commands, onProgress)),
    ),
  );
  await print(flags.json ? `${toJson(counts)}\n` : toText(counts, commands));
}

function requestOf<Row>(
  path: string,
  { tenant, clearEmpty, ...rules }: ImportFlags,
  { plural }: ListCommands<Row>,
  onProgress?: (bytesRead: number) => void,
): ListImport {
  return {
    tenant,
    file: path,
    records: readListFile(plural, { ...rules, path, onProgress }),
    clearEmpty: clearEmpty === true,
  };
}

/** Prints what an import would change. Unlike an import, it makes no database. */
async function tryImport<Row>(file: string, flags: ImportFlags, commands: ListCommands<Row>): Promise<void> {
  const report = async (changes: readonly ImportChange[]) => {
    if (!flags.json) await print(changes.map(describe).join(''));
  };
  const counts = await withDirectoryToRead(flags, (directory) =>
    commands.importList(directory, { ...requestOf(file, flags, commands), report }),
  );
  // The dry run was rolled back, so the ids that it assigned are free again.
  const { inserted, updated, changed } = counts;
  const json = JSON.stringify({ inserted, updated, changed });
  await print(flags.json ? `${json}\n` : `would import ${describeCounts(counts, commands)}\n`);
}

/** Describes the counts in the same words for an import and its dry run. */
function describeCounts<Row>(
  { inserted, updated, changed }: Counts,
  { noun, plural }: ListCommands<Row>,
): string {
  const total = inserted + updated;
  return `${total} ${total === 1 ? noun : plural}: ${inserted} new, ${changed} changed, ${updated - changed} unchanged`;
}

function describe({ line, key, outcome, fields }: ImportChange): string {
  const details = fields.map((field) => describeField(outcome, field));
  return describeRow({ outcome, name: key, line }, details);
}

function toJson({ inserted, updated, changed, assignedIds = [] }: Counts): string {
  return stringifyExactJson({
    inserted,
    updated,
    changed,
    ...(assignedIds.length > 0 && { assigned_ids: assignedIds }),
  });
}

const idsShownMax = 20;

function toText<Row>(counts: Counts, commands: ListCommands<Row>): string {
  const { assignedIds = [] } = counts;
  const summary = `imported ${describeCounts(counts, commands)}\n`;
  if (assignedIds.length === 0) return summary;
  const shown = assignedIds.slice(0, idsShownMax).join(', ');
  return `${summary}ids assigned: ${shown}${assignedIds.length > idsShownMax ? ', …' : ''}\n`;
}
