import { type CopyReport, commandActor, copyDirectory } from '@fieldroster/server/admin';
import type { Command } from 'commander';
import { describeTables } from '../directory/describe-tables.ts';
import { whoseFiles } from '../directory/whose-files.ts';
import {
  type DirectoryFlags,
  databaseInsecureOption,
  directoryOptions,
} from '../directory/with-directory.ts';
import { print, warn, warnOfNotice } from '../output/print.ts';
import { withProgressBar } from '../output/with-progress-bar.ts';
import { endOnSignal } from '../process/end-on-signal.ts';
import { tellOfInterruption } from '../process/tell-of-interruption.ts';

export function completeCopy(copy: Command): void {
  copy
    .requiredOption('--from <place>', 'Data folder or PostgreSQL URL to read')
    .requiredOption(
      '--to <place>',
      'Data folder or PostgreSQL URL to fill; it must not contain a directory yet',
    )
    .option(
      '--allow-running',
      'Copy although servers run on the source; the copy lacks what they write after it has begun',
    )
    .addOption(databaseInsecureOption())
    .option('--json', 'Print JSON for scripts')
    .addHelpText(
      'after',
      '\nThe target needs the master key of the source. Stop the servers of the source\nand of the target first.' +
        '\n\nExample:\n  $ fieldroster copy --from ./data --to postgres://user@host/fieldroster',
    )
    .action(runCopy);
}

interface CopyFlags extends Pick<DirectoryFlags, 'databaseInsecure' | 'json'> {
  readonly from: string;
  readonly to: string;
  readonly allowRunning?: true;
}

async function runCopy(flags: CopyFlags): Promise<void> {
  const { from, to, allowRunning = false, json } = flags;
  const { databaseInsecure = false, databaseConnectTimeoutMs, environment } = directoryOptions(flags);
  const actor = commandActor(process.env);
  endOnSignal();
  const report = await tellOfInterruption('copy', () =>
    withProgressBar('{value} of {total} rows | {eta_formatted} left', 1, (onRows) =>
      copyDirectory(from, to, onRows, {
        databaseInsecure,
        ...(databaseConnectTimeoutMs && { databaseConnectTimeoutMs }),
        allowRunning,
        notice: warnOfNotice,
        actor,
        ...(environment !== undefined && { environment }),
      }),
    ),
  );
  await print(json ? `${toJson(report)}\n` : toText(report));
  for (const warning of report.warnings) warn(`copied, but ${warning}`);
}

function toJson({ from, to, tables, warnings, ownerCommand }: CopyReport): string {
  return JSON.stringify({ from, to, tables, warnings, owner_command: ownerCommand ?? null });
}

function toText({ from, to, tables, ownerCommand }: CopyReport): string {
  const copied = `copied ${from} to ${to}; rows and checksums are the same on both sides`;
  const key = `
No copy contains the master key. Before the first start, give the target's servers the master
key of the source: copy its master.key, with mode 600, or set FIELDROSTER_MASTER_KEY.
`;
  return `${copied}\n${describeTables(tables)}${key}${whoseFiles({ ownerCommand })}`;
}
