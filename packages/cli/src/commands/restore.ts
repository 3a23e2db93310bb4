import {
  finishRestore,
  type InPlaceRestore,
  type LeftOut,
  type RestoreOutcome,
  type RestoreReport,
  restoreBackup,
} from '@fieldroster/server/admin';
import type { Command } from 'commander';
import { commandOn } from '../command-line/command-on.ts';
import { nonEmpty } from '../command-line/flag-values.ts';
import { describeRemnants, remnantFields } from '../directory/describe-remnants.ts';
import { describeRepair } from '../directory/describe-repair.ts';
import { describeTables } from '../directory/describe-tables.ts';
import { whoseFiles } from '../directory/whose-files.ts';
import { addDirectoryOptions, type DirectoryFlags, directoryOptions } from '../directory/with-directory.ts';
import { isoTimeOfSeconds } from '../output/iso-time.ts';
import { print, printable, warn } from '../output/print.ts';
import { endOnSignal } from '../process/end-on-signal.ts';
import { tellOfInterruption } from '../process/tell-of-interruption.ts';
import { UsageError } from '../run-program.ts';

export function completeRestore(restore: Command): void {
  addDirectoryOptions(restore)
    .option('--from <file>', 'Backup to restore', nonEmpty('name the backup'))
    .option('--finish', 'Finish the restore of a database that other tools restored in place')
    .option(
      '--erasures <file>',
      'List of erasures to apply, in addition to those next to the backup and the key file',
      nonEmpty('name the list, or leave the flag out'),
    )
    .addHelpText(
      'after',
      `
The target must be empty: a folder without fieldroster.db, or an empty
PostgreSQL database. Put the master key of that time into the folder of --data,
or into FIELDROSTER_MASTER_KEY; the backup does not contain it.

Examples:
  $ fieldroster restore --from /backup/today.backup --data /var/lib/fieldroster
  $ fieldroster restore --from /backup/today.backup --database postgres://user@host/fieldroster`,
    )
    .action(runRestore);
}

interface RestoreFlags extends DirectoryFlags {
  readonly from?: string;
  readonly finish?: boolean;
  readonly erasures?: string;
}

async function runRestore(flags: RestoreFlags): Promise<void> {
  const { from, finish = false, erasures, json } = flags;
  if (finish === (from !== undefined)) throw new UsageError('give either --from with a backup, or --finish');
  const { environment = process.env, ...place } = directoryOptions(flags);
  if (flags.data !== undefined && flags.database === undefined && place.database)
    warn(
      'the target is the PostgreSQL database that the environment or the configuration file names; --data is only the folder of the key file',
    );
  const target = { ...place, environment };
  const options = { erasureFiles: erasures === undefined ? [] : [erasures] };
  if (from === undefined) {
    const finished = await finishRestore(target, options);
    await print(
      json
        ? `${finishedToJson(finished)}\n`
        : `finished ${finished.location}\n${describeRepair(finished.repaired)}${whatFollows(finished, flags)}${whatIsLeft(finished)}${whoseFiles(finished)}`,
    );
    return;
  }
  // An interrupted command removes its draft.
  endOnSignal();
  const report = await tellOfInterruption('restore', () => restoreBackup(from, target, options));
  await print(json ? `${toJson(report)}\n` : toText(report, flags));
  for (const warning of report.warnings) warn(`restored, but ${warning}`);
}

function toJson({ location, manifest, finish, warnings, ownerCommand }: RestoreReport): string {
  return JSON.stringify({
    location,
    manifest,
    finish: finishFields(finish),
    warnings,
    owner_command: ownerCommand ?? null,
  });
}

function finishedToJson({ location, repaired, cleared, ownerCommand, ...finish }: InPlaceRestore): string {
  return JSON.stringify({
    location,
    repaired,
    ...finishFields(finish),
    ...remnantFields(cleared ?? {}),
    owner_command: ownerCommand ?? null,
  });
}

function finishFields({
  keyFound,
  refusedThroughSeconds,
  erasures,
  erasureLists,
  erasuresLeftOut,
  namesCompared,
  erased,
}: RestoreOutcome) {
  const { users, bindings, auditRows, failedCalls } = erased;
  return {
    key_found: keyFound,
    writes_refused_until: isoTimeOfSeconds(refusedThroughSeconds + 1),
    erasures,
    erasure_lists: erasureLists,
    erasures_left_out: erasuresLeftOut.map(({ file, erasures: { length } }) => ({
      list: file,
      erasures: length,
      reason: 'other_name',
    })),
    names_compared: namesCompared,
    erased: { users, bindings, audit_rows: auditRows, failed_calls: failedCalls },
  };
}

function toText({ location, manifest, finish, ownerCommand }: RestoreReport, flags: RestoreFlags): string {
  return `restored ${location}, as of ${manifest.at}, by release ${manifest.release}; every row was read back
${describeTables(manifest.tables)}
Everything after that moment is gone. In particular the backup cannot know:
  - applications revoked, suspended, limited, rotated or issued later: check them with
    fieldroster app list
  - a master key replaced later, which seals nothing here: run fieldroster key rotate again
  - operators disabled, reset or given another role later: check them with
    fieldroster operator list
  - users erased later, unless a list of erasures names them
  - writes accepted later: they were answered with 0, but are lost. The servers' logs
    since then name each: code 0, with operation, app_id and request_id
${whatFollows(finish, flags)}${whoseFiles({ ownerCommand })}`;
}

function whatFollows(
  { refusedThroughSeconds, erasures, erasureLists, erasuresLeftOut, namesCompared, keyFound }: RestoreOutcome,
  flags: RestoreFlags,
): string {
  const until = isoTimeOfSeconds(refusedThroughSeconds + 1);
  const key = keyFound
    ? ''
    : `There is no master key yet: before the first start, put the one that the backup
was made under into master.key in the data folder, with mode 600, or into
FIELDROSTER_MASTER_KEY.\n`;
  const lists =
    erasureLists.length > 0
      ? `Lists of erasures read: ${erasureLists.map(printable).join(', ')}.\n`
      : `No list of erasures was found. If you have one, such as an erasures.jsonl beside
other backups, apply it before the first start:
  ${commandToApply('FILE', flags)}\n`;
  const leftOut = erasuresLeftOut.map((list) => describeLeftOut(list, flags)).join('');
  return `
Signed writes are refused with code 1012 until ${until},
so that no write accepted after the backup takes effect again.
Operators must sign in again, and open one-time links have ended.
Erasures applied: ${erasures}. New users get ids a million above the last one, so that
no id of a lost user is used again.
Ask the integrators who keep a copy of the users to list everything again, without
updated_since: no list of changes shows what the restore took back.
${lists}${namesCompared || erasures === 0 ? '' : unchecked(keyFound)}${leftOut}${key}`;
}

function whatIsLeft({ cleared }: InPlaceRestore): string {
  const left = cleared && describeRemnants(cleared);
  return left ? `Not reached by the erasures; you have to deal with these yourself:\n${left}` : '';
}

function unchecked(keyFound: boolean): string {
  return keyFound
    ? `The erasures were applied, but no names were compared: the key of hashes in the
restored database is damaged. If another directory uses the same list, users of
this one may have been erased in place of its users: restore a backup from
before the damage into an empty target.
`
    : `The erasures were applied, but no names were compared: that takes the master key.
If another directory uses the same list, users of this one may have been erased
in place of its users: put the key into an empty target, and restore again.
`;
}

function describeLeftOut({ file, erasures: { length } }: LeftOut, flags: RestoreFlags): string {
  const [count, whose] =
    length === 1
      ? ['1 erasure', 'the user of that id has another name here']
      : [`${length} erasures`, 'the users of these ids have other names here'];
  return `NOT applied: ${count} of ${printable(file)}, because ${whose}.
The list may be of another directory, or from before the master key was lost and
replaced. If it is of this directory, apply it as it is before the first start:
  ${commandToApply(file, flags)}
`;
}

function commandToApply(erasures: string, flags: RestoreFlags): string {
  const more = { 'database-insecure': flags.databaseInsecure, erasures };
  return printable(commandOn(flags, 'restore --finish', more));
}
