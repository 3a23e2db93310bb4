import { limits } from '@fieldroster/contract/limits';
import { columnFields, userFields } from '@fieldroster/tables';
import { type Command, Help } from 'commander';
import { addCallOptions } from '../call/credentials.ts';
import { countBetween, fileToWrite, parseSeparator } from '../command-line/flag-values.ts';
import { requireReadable } from '../files/file-faults.ts';
import { addColumnOptions, addTextOptions } from '../import/file-options.ts';
import type { ImportFlags } from '../import/import-flags.ts';
import { UsageError } from '../run-program.ts';

const parallelMax = 32;

export function addUserImport(user: Command): void {
  const load = user
    .command('import')
    .description('Create and update users from a file, through the signed interface')
    .argument('<file>', 'CSV (.csv), one JSON object a line (.jsonl), or an Excel workbook (.xlsx)')
    .action(async (path: string, flags: ImportFlags) => {
      requireFile(path);
      const { runImport } = await import('../import/run-import.ts');
      await runImport(path, flags);
    });
  addReadingOptions(load);
  addSendingOptions(load);
  addCallOptions(load)
    .option('--json', 'Print the totals as JSON for scripts')
    .addHelpText('after', importHelp);
}

function addReadingOptions(load: Command): void {
  addColumnOptions(load, columnFields)
    .option('--store-separator <text>', 'Separator between the store codes in one cell', parseSeparator, ';')
    .option(
      '--clear-empty',
      'Let an empty cell clear a text or the stores; without this flag it keeps them. It never clears a password, a role or an organization',
    );
  addTextOptions(load);
}

function addSendingOptions(load: Command): void {
  load
    .option('--dry-run', 'Print what would change for each user, and change nothing')
    .option('--unchanged', 'With --dry-run: also print the users that stay as they are')
    .option(
      '--batch-size <users>',
      'Maximum number of users in one request',
      countBetween(1, limits.batchEntriesMax),
      1000,
    )
    .option('--parallel <requests>', 'Number of concurrent requests', countBetween(1, parallelMax), 2)
    .option(
      '--result <file>',
      'File for the outcome of each row (default: FILE.result.csv)',
      fileToWrite('name the file, or leave --result out'),
    )
    .option('--restart', 'Begin with the first row instead of resuming an interrupted import');
}

const helpWidth = 80;

const otherFields = userFields.filter((field) => field !== 'username').join(', ');

const columnsHelp = `The first line names the columns: username, and any of ${otherFields}.`;

const importHelp = `
${new Help().boxWrap(columnsHelp, helpWidth)}

In role_id and org_id, a whole number is an id; any other text is the name of a
role or an organization, or an organization's path, such as Company / North. A
user whose username exists is updated, any other is created. To resume an
interrupted import, run the same command again. The exit code is 1 if a row
failed; FILE.failed.csv or .jsonl then has these rows, with the reasons, to
correct and import.

Example:
  $ fieldroster user import staff.csv --map Mobile=phone --dry-run
  $ fieldroster user import staff.csv --map Mobile=phone`;

/** @throws {UsageError} unless it is a file that this user may read */
export function requireFile(path: string): void {
  if (requireReadable(path).isFile()) return;
  throw new UsageError(`${path} is not a file; name a .csv, .jsonl or .xlsx file`);
}
