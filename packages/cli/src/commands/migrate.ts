import { migrateDirectory, repairDirectory } from '@fieldroster/server/admin';
import type { Command } from 'commander';
import { describeRepair } from '../directory/describe-repair.ts';
import { addDirectoryOptions, type DirectoryFlags, directoryOptions } from '../directory/with-directory.ts';
import { print, warnOfNotice } from '../output/print.ts';

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
  const options = { ...directoryOptions(flags), notice: warnOfNotice };
  const repair = async () => (dryRun ? [] : await repairDirectory(options));
  // Tables that lack a part may not open, so they are repaired first. Tables of an earlier release are complete only
  // after the migration, so they are repaired again.
  const before = await repair();
  const { migrations, newer } = await migrateDirectory(options, dryRun);
  const repaired = migrations.length === 0 ? before : [...before, ...(await repair())];
  const report = { dry_run: dryRun, migrations, newer_migrations: newer, repaired };
  await print(flags.json ? `${JSON.stringify(report)}\n` : toText(report));
}

interface Report {
  readonly dry_run: boolean;
  readonly migrations: readonly string[];
  readonly newer_migrations: readonly string[];
  readonly repaired: readonly string[];
}

function toText({ dry_run, migrations, newer_migrations, repaired }: Report): string {
  const repair = describeRepair(repaired);
  if (newer_migrations.length > 0)
    return `the tables are newer than this release, which changes none of them\n${repair}`;
  if (migrations.length === 0) return `the tables are up to date\n${repair}`;
  return `${dry_run ? 'would run' : 'ran'}: ${migrations.join(', ')}\n${repair}`;
}
