import { migrateDirectory, repairChangeOrder } from '@fieldroster/server/admin';
import type { Command } from 'commander';
import { print, warn } from '../print.ts';
import { addDirectoryOptions, type DirectoryFlags, directoryOptions } from '../with-directory.ts';

export function completeMigrate(migrate: Command): void {
  migrate
    .option('--dry-run', 'List the pending migrations, and change nothing')
    .addHelpText(
      'after',
      '\nExample:\n  $ fieldroster migrate --dry-run --database postgres://user@host/fieldroster',
    )
    .action(runMigrate);
  addDirectoryOptions(migrate);
}

async function runMigrate(flags: DirectoryFlags & { readonly dryRun?: boolean }): Promise<void> {
  const dryRun = flags.dryRun === true;
  const options = { ...directoryOptions(flags), notice: (_fields: object, message: string) => warn(message) };
  const migrations = await migrateDirectory(options, dryRun);
  const repaired = dryRun ? false : await repairChangeOrder(options);
  const report = { dry_run: dryRun, migrations, order_of_changes_repaired: repaired };
  await print(flags.json ? `${JSON.stringify(report)}\n` : toText(migrations, dryRun, repaired));
}

function toText(migrations: readonly string[], dryRun: boolean, repaired: boolean): string {
  const repair = repaired ? 'made the order of changes and its triggers again\n' : '';
  if (migrations.length === 0) return `the tables are up to date\n${repair}`;
  return `${dryRun ? 'would run' : 'ran'}: ${migrations.join(', ')}\n${repair}`;
}
