import {
  type BackupReport,
  makeBackup,
  nameTaken,
  recordGoodBackup,
  tablesLeftOut,
  verifyBackup,
} from '@fieldroster/server/admin';
import type { Command } from 'commander';
import { fileToWrite } from '../command-line/flag-values.ts';
import { describeTables } from '../directory/describe-tables.ts';
import { addDirectoryOptions, type DirectoryFlags, directoryOptions } from '../directory/with-directory.ts';
import { print } from '../output/print.ts';
import { packageVersion } from '../package-version.ts';
import { endOnSignal } from '../process/end-on-signal.ts';
import { UsageError } from '../run-program.ts';

export function completeBackup(backup: Command): void {
  addDirectoryOptions(backup)
    .option('--to <file>', 'File to write; it must not exist yet', fileToWrite('name the file to write'))
    .option('--verify', 'Restore it into a temporary database before it gets its name')
    .addHelpText(
      'after',
      `\n${whatItLacks}\n\nExample:\n  $ fieldroster backup --verify --to /backup/today.backup`,
    )
    .action(runBackup);
  backup
    .command('verify')
    .description('Check a backup: its checksums, and a restore into a temporary database')
    .argument('<file>', 'Backup to check')
    .option('--json', 'Print JSON for scripts')
    .addHelpText('after', '\nExample:\n  $ fieldroster backup verify /backup/today.backup')
    .action(runVerify);
}

const whatItLacks = `\
A backup never contains the master key. To restore it you also need the key it
was made under (master.key, or the value of FIELDROSTER_MASTER_KEY) and the list
of erasures, erasures.jsonl. Keep the key apart from the backups.`;

interface BackupFlags extends DirectoryFlags {
  readonly to?: string;
  readonly verify?: boolean;
}

async function runBackup(flags: BackupFlags): Promise<void> {
  const { to, verify = false, json } = flags;
  if (to === undefined) throw new UsageError('--to <file> is missing; name the file to write');
  const taken = nameTaken(to);
  if (taken !== undefined) throw new UsageError(taken);
  // An interrupted command removes its draft.
  endOnSignal();
  const place = directoryOptions(flags);
  const report = await makeBackup(place, to, { release: packageVersion(), verify });
  if (verify) await recordGoodBackup(place, report);
  await print(json ? `${toJson(report)}\n` : toText(report));
}

async function runVerify(file: string, _flags: unknown, command: Command): Promise<void> {
  // Commander gives the flag to the option of the same name on the parent command.
  const { json } = command.optsWithGlobals<{ json?: boolean }>();
  endOnSignal();
  const manifest = await verifyBackup(file);
  const { at, release } = manifest;
  await print(
    json
      ? `${JSON.stringify({ file, manifest })}\n`
      : `${file} is good: it shows the directory as of ${at}, was made by release ${release}, and restores completely\n${describeTables(manifest.tables)}`,
  );
}

function toJson({ file, bytes, manifest, verified, erasureList }: BackupReport): string {
  return JSON.stringify({ file, bytes, manifest, verified, erasure_list: erasureList ?? null });
}

function toText({ file, bytes, manifest, verified, erasureList }: BackupReport): string {
  const list =
    erasureList === undefined
      ? `kept apart from it. No list of
erasures is beside it yet; if a user is erased later, you also need that list.`
      : 'kept apart from it, and the list of\nerasures beside it, erasures.jsonl.';
  return `wrote ${file}, ${bytes} bytes, with the directory as of ${manifest.at}${verified ? '; it restores completely' : ''}
${describeTables(manifest.tables)}
It has neither the master key nor the tables
  ${tablesLeftOut.join(', ')}.
To restore it you also need the master key of today (master.key, or the value of
FIELDROSTER_MASTER_KEY), ${list}
`;
}
