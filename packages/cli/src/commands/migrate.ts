import { migrateDirectory } from '@fieldroster/server/admin';
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
  await print(
    flags.json ? `${JSON.stringify({ dry_run: dryRun, migrations })}\n` : toText(migrations, dryRun),
  );
}

function toText(migrations: readonly string[], dryRun: boolean): string {
  if (migrations.length === 0) return 'the tables are up to date\n';
  return `${dryRun ? 'would run' : 'ran'}: ${migrations.join(', ')}\n`;
}
