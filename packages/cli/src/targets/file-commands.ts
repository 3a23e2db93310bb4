import { existsSync, statSync } from 'node:fs';
import { extname } from 'node:path';
import {
  type CsvRecord,
  defaultTenantName,
  type FileImport,
  type ImportChange,
  type ImportCounts,
  type OpenDirectory,
  requireTenant,
  stringifyExactJson,
} from '@fieldroster/server/admin';
import type { Command } from 'commander';
import {
  addDirectoryOptions,
  type DirectoryFlags,
  withDirectoryToFill,
  withDirectoryToRead,
} from '../directory/with-directory.ts';
import { describeField, describeRow } from '../import/describe-changes.ts';
import { type Listing, print, printList } from '../output/print.ts';
import { withProgressBar } from '../output/with-progress-bar.ts';
import { UsageError } from '../run-program.ts';

/** The differences between `role`, `org` and `store`. */
export interface FileCommands<Row> {
  readonly noun: string;
  readonly plural: string;
  /** The columns of a file, as shown in the help. */
  readonly columns: string;
  readonly importFile: (directory: OpenDirectory, request: FileImport) => Promise<Counts>;
  readonly rows: (directory: OpenDirectory, tenantId: bigint) => AsyncIterable<Row>;
  readonly listing: Listing<Row>;
}

type Counts = ImportCounts & { readonly givenIds?: readonly bigint[] };

type TenantFlags = DirectoryFlags & { readonly tenant: string };

interface ImportFlags extends TenantFlags {
  readonly dryRun?: true;
  readonly clearEmpty?: true;
}

/** Adds `import` and `list`. */
export function addFileCommands<Row>(group: Command, commands: FileCommands<Row>): void {
  const { noun, plural, columns, rows, listing } = commands;
  group.addHelpText('after', `\nExample:\n  $ fieldroster ${noun} import ${plural}.csv`);
  const load = group
    .command('import')
    .description(`Import ${plural} from a file: all of its lines or none`)
    .argument(
      '<file>',
      `CSV file in UTF-8, or Excel workbook (.xlsx), whose first line names its columns: ${columns}`,
    )
    .option('--dry-run', 'Print what would change, and change nothing')
    .option('--clear-empty', 'Let an empty cell clear its value; otherwise it keeps the value')
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

async function runImport<Row>(file: string, flags: ImportFlags, commands: FileCommands<Row>): Promise<void> {
  if (!existsSync(file)) throw new UsageError(`${file}: there is no such file; correct the path`);
  if (flags.dryRun === true) return tryImport(file, flags, commands);
  const counts = await withDirectoryToFill(flags, (directory) =>
    withProgressBar('{eta_formatted} left', statSync(file).size, (onProgress) =>
      commands.importFile(directory, { ...requestOf(file, flags), onProgress }),
    ),
  );
  await print(flags.json ? `${toJson(counts)}\n` : toText(counts, commands));
}

function requestOf(file: string, { tenant, clearEmpty }: ImportFlags): FileImport {
  return { tenant, file, records: sheetRecords(file), clearEmpty: clearEmpty === true };
}

/** Prints what an import would change. Unlike an import, it makes no database. */
async function tryImport<Row>(file: string, flags: ImportFlags, commands: FileCommands<Row>): Promise<void> {
  const report = async (changes: readonly ImportChange[]) => {
    if (!flags.json) await print(changes.map(describe).join(''));
  };
  const counts = await withDirectoryToRead(flags, (directory) =>
    commands.importFile(directory, { ...requestOf(file, flags), report }),
  );
  // The dry run was rolled back, so the ids that it assigned are free again.
  const { inserted, updated, changed } = counts;
  const json = JSON.stringify({ inserted, updated, changed });
  await print(flags.json ? `${json}\n` : `would import ${describeCounts(counts, commands)}\n`);
}

/** Describes the counts in the same words for an import and its dry run. */
function describeCounts<Row>(
  { inserted, updated, changed }: Counts,
  { noun, plural }: FileCommands<Row>,
): string {
  const total = inserted + updated;
  return `${total} ${total === 1 ? noun : plural}: ${inserted} new, ${changed} changed, ${updated - changed} unchanged`;
}

function describe({ line, key, outcome, fields }: ImportChange): string {
  const details = fields.map((field) => describeField(outcome, field));
  return describeRow({ outcome, name: key, line }, details);
}

/** Returns `undefined` for a file that is not a workbook. */
function sheetRecords(file: string): AsyncIterable<CsvRecord[]> | undefined {
  return extname(file).toLowerCase() === '.xlsx' ? readWorkbook(file) : undefined;
}

/** Most imports are CSV files and do not need the workbook code. */
async function* readWorkbook(file: string): AsyncIterable<CsvRecord[]> {
  const { readSheetRecords } = await import('./sheet-records.ts');
  yield* readSheetRecords(file);
}

function toJson({ inserted, updated, changed, givenIds = [] }: Counts): string {
  return stringifyExactJson({
    inserted,
    updated,
    changed,
    ...(givenIds.length > 0 && { given_ids: givenIds }),
  });
}

const idsShownMax = 20;

function toText<Row>(counts: Counts, commands: FileCommands<Row>): string {
  const { givenIds = [] } = counts;
  const summary = `imported ${describeCounts(counts, commands)}\n`;
  if (givenIds.length === 0) return summary;
  const shown = givenIds.slice(0, idsShownMax).join(', ');
  return `${summary}ids assigned: ${shown}${givenIds.length > idsShownMax ? ', …' : ''}\n`;
}
