import { type Command, InvalidArgumentError, Option } from 'commander';
import { addCallOptions } from '../call/credentials.ts';
import { parseSeparator } from '../command-line/flag-values.ts';
import {
  defaultColumns,
  type ExportColumn,
  exportColumns,
  furtherColumns,
  readOnlyColumns,
} from '../export/export-columns.ts';
import type { ExportFlags } from '../export/export-flags.ts';
import { addFilterOptions } from './user-filters.ts';

export function addUserExport(user: Command): void {
  const save = user
    .command('export')
    .description('Write the users that match every filter to a file that the import accepts')
    .argument('[file]', 'File that ends in .csv or .jsonl; standard output if left out')
    .addOption(
      new Option('--format <format>', 'The format, if no file name determines it').choices(['csv', 'jsonl']),
    )
    .addOption(
      new Option('--columns <names>', 'Columns to export, in this order')
        .argParser(parseColumns)
        .default(defaultColumns, 'see below'),
    )
    .option('--store-separator <text>', 'Separator between the store codes in one cell', parseSeparator, ';')
    .option('--bom', 'Begin a CSV file with the byte order mark by which Excel recognizes UTF-8')
    .option('--overwrite', 'Replace an existing file')
    .action(async (path: string | undefined, flags: ExportFlags) => {
      const { runExport } = await import('../export/run-export.ts');
      await runExport(path, flags);
    });
  addFilterOptions(save);
  addCallOptions(save)
    .option('--json', 'Print the number of users in the file as JSON for scripts')
    .addHelpText('after', exportHelp);
}

const exportHelp = `
Columns without --columns:
  ${defaultColumns.join(', ')}.
Others that an import sets:
  ${furtherColumns.join(', ')}.
Others that an import does not know:
  ${readOnlyColumns.join(', ')}.
The server never returns ext_info or passwords, so neither is exported.

Example:
  $ fieldroster user export users.jsonl --department Sales`;

function parseColumns(text: string): readonly ExportColumn[] {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !(exportColumns as readonly string[]).includes(name));
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (unknown === undefined && twice !== undefined)
    throw new InvalidArgumentError(`It names ${twice} twice; name each column once.`);
  if (unknown === undefined) return names as ExportColumn[];
  throw new InvalidArgumentError(`There is no column '${unknown}'; there are ${exportColumns.join(', ')}.`);
}
