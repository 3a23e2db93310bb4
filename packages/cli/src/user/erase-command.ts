import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import {
  counted,
  defaultTenantName,
  type ErasedUser,
  eraseUser,
  findUsersToErase,
  requireErasureList,
} from '@fieldroster/server/admin';
import type { Command } from 'commander';
import { nonEmpty } from '../command-line/flag-values.ts';
import { describeRemnants, remnantFields } from '../directory/describe-remnants.ts';
import {
  addDirectoryOptions,
  type DirectoryFlags,
  directoryOptions,
  withDirectory,
} from '../directory/with-directory.ts';
import { isoTime } from '../output/iso-time.ts';
import { print, printable } from '../output/print.ts';
import { ReportedFailure, UsageError } from '../run-program.ts';

export function completeUserErase(erase: Command): void {
  addDirectoryOptions(erase)
    .requiredOption('--user <username>', 'Username, even of a deleted user')
    .option('--tenant <name>', 'Tenant of the user', defaultTenantName)
    .option('--yes', 'Do not ask for the name again')
    .option(
      '--erasures <file>',
      'Another list of erasures to add the user to',
      nonEmpty('name the list, or leave the flag out'),
    )
    .addHelpText('after', `\n${whatItDoes}\n\nExample:\n  $ fieldroster user erase --user mara.okafor`)
    .action(runErase);
}

const whatItDoes = `\
The command works on the database, not through a server. It removes the profile,
the bindings, the values in the audit trail and the texts of failed calls. The
audit still shows that something happened, when, and which field changed. An
erasure cannot be undone.`;

interface EraseFlags extends DirectoryFlags {
  readonly user: string;
  readonly tenant: string;
  readonly yes?: boolean;
  readonly erasures?: string;
}

async function runErase(flags: EraseFlags): Promise<void> {
  const { user: username, tenant, erasures, json } = flags;
  const { data } = directoryOptions(flags);
  // Checked before the question: nobody should confirm an erasure that is then refused.
  if (erasures !== undefined) await requireErasureList(resolve(erasures));
  const erased = await withDirectory(flags, async (directory) => {
    const found = await findUsersToErase(directory, { tenant, username });
    if (flags.yes !== true && found.userIds.length > 0) await confirm(username, found.userIds);
    return eraseUser(directory, found, { data, files: erasures === undefined ? [] : [erasures] });
  });
  await print(json ? `${toJson(erased)}\n` : toText(erased));
  const lacksNamed = erasures !== undefined && !erased.lists.includes(resolve(erasures));
  if (erased.lists.length === 0 || lacksNamed) throw new ReportedFailure();
}

/** @throws {UsageError} unless the name is typed again */
async function confirm(username: string, userIds: readonly bigint[]): Promise<void> {
  if (!process.stdin.isTTY) throw new UsageError('there is no terminal to confirm the erasure; add --yes');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const ids = userIds.join(', ');
    const typed = await terminal.question(
      `This permanently removes all data of ${printable(username)} (id ${ids}). Type the name to continue: `,
    );
    if (typed !== username)
      throw new UsageError(`the name that was typed is not ${printable(username)}; nothing was erased`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ABORT_ERR') throw error;
    // Ctrl+C and Ctrl+D leave the cursor after the question.
    process.stderr.write('\n');
    throw new UsageError('the name was not typed; nothing was erased', { cause: error });
  } finally {
    terminal.close();
  }
}

function toJson({
  userIds,
  erasedBefore,
  users,
  bindings,
  auditRows,
  failedCalls,
  lists,
  listsFailed,
  lastBackup,
  remnants,
  remnantsFailed,
  damagedFiles,
}: ErasedUser): string {
  return JSON.stringify({
    user_ids: userIds.map(String),
    erased_before: erasedBefore.map(({ userId, atMs }) => ({
      user_id: String(userId),
      at: isoTime(atMs),
    })),
    users,
    bindings,
    audit_rows: auditRows,
    failed_calls: failedCalls,
    lists,
    lists_failed: listsFailed,
    last_backup: lastBackup === undefined ? null : { file: lastBackup.file, at: isoTime(lastBackup.atMs) },
    ...remnantFields({ remnants, remnantsFailed }),
    damaged_files: damagedFiles,
  });
}

function toText(erased: ErasedUser): string {
  const { erasedBefore, lists, listsFailed, lastBackup } = erased;
  const backups =
    lastBackup === undefined
      ? 'backups that you made: the database knows of none that was verified'
      : `backups up to ${isoTime(lastBackup.atMs)} (the last verified one is ${lastBackup.file}), until they age out`;
  const listed = [
    lists.length === 0 ? notListed : `listed in ${lists.join(', ')}`,
    ...listsFailed.map((each) => `NOT listed in ${each}`),
  ];
  return `${[...describeErasure(erased), ...erasedBefore.map(describeEarlier), ...listed].join('\n')}

Not reached; you have to deal with these yourself:
  - ${backups}; a restore erases the people in the lists of erasures again
  - logs, exports and copies outside this database, and what other systems read from it
${describeDamagedFiles(erased)}${describeRemnants(erased)}`;
}

function describeDamagedFiles({ damagedFiles }: ErasedUser): string {
  if (damagedFiles.length === 0) return '';
  const files = damagedFiles.map((file) => `      ${printable(file)}\n`).join('');
  return `\
  - damaged files that a server moved aside, which may have texts of failed calls. Delete them:
${files}`;
}

const notListed =
  'listed in NO FILE: a restore of an older backup would bring the person back. Repeat the command with ' +
  '--erasures <file>, or make a backup, which writes the list beside it';

function describeErasure({ userIds, users, bindings, auditRows, failedCalls }: ErasedUser): string[] {
  if (userIds.length === 0 && failedCalls === 0) return [];
  if (userIds.length === 0) return [`erased the texts of ${counted(failedCalls, 'failed call')}`];
  const removed = [
    counted(users, 'profile'),
    counted(bindings, 'binding'),
    `the values of ${counted(auditRows, 'audit row')}`,
    `the texts of ${counted(failedCalls, 'failed call')}`,
  ];
  return [`erased id ${userIds.join(', ')}: ${removed.join(', ')}`];
}

function describeEarlier({ userId, atMs }: ErasedUser['erasedBefore'][number]): string {
  return `id ${userId} was already erased at ${isoTime(atMs)}`;
}
