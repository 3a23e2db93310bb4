import {
  checkKeys,
  describeHolder,
  type FinishReport,
  finishRotation,
  type KeysReport,
  type KeyUse,
  type RotationProgress,
  type RotationReport,
  rotateKey,
} from '@fieldroster/server/admin';
import { type Command, Option } from 'commander';
import { fileToWrite, parseDuration } from '../command-line/flag-values.ts';
import { addDirectoryOptions, type DirectoryFlags, directoryOptions } from '../directory/with-directory.ts';
import { isoTime } from '../output/iso-time.ts';
import { print, warn, warnOfNotice } from '../output/print.ts';
import { ReportedFailure, UsageError } from '../run-program.ts';

export function completeKey(key: Command): void {
  key.addHelpText('after', '\nExample:\n  $ fieldroster key check');
  const check = key
    .command('check')
    .description('Show which master keys open which secrets, and which processes hold which keys')
    .addHelpText('after', '\nExample:\n  $ fieldroster key check --json')
    .action(runCheck);
  const rotate = key
    .command('rotate')
    .description('Replace the master key while servers run; run it again to continue after an interruption')
    .addOption(
      new Option('--wait <duration>', 'How long to wait for processes that lack the new key: 30s, 5m')
        .argParser(parseDuration)
        .default(parseDuration('5m'), '5m'),
    )
    .option('--finish', 'Drop the previous key once every secret is sealed under the new one')
    .option(
      '--keep-old-key <file>',
      'With --finish: keep the previous key in this new file',
      fileToWrite('name a new file'),
    )
    .addHelpText(
      'after',
      '\nExample:\n  $ fieldroster key rotate\n  $ fieldroster key rotate --finish --keep-old-key /safe/master.key.2026',
    )
    .action((flags: RotateFlags) => (flags.finish === true ? runFinish(flags) : runRotate(flags)));
  for (const command of [check, rotate]) addDirectoryOptions(command);
}

interface RotateFlags extends DirectoryFlags {
  readonly wait: number;
  readonly finish?: boolean;
  readonly keepOldKey?: string;
}

async function runRotate(flags: RotateFlags): Promise<void> {
  if (flags.keepOldKey !== undefined) throw new UsageError('--keep-old-key needs --finish; add it');
  const report = await rotateKey({
    ...directoryOptions(flags),
    notice: warnOfNotice,
    waitMs: flags.wait,
    onProgress: (progress) => warn(describeProgress(progress)),
  });
  await print(flags.json ? `${JSON.stringify(rotationToJson(report))}\n` : rotationToText(report));
}

function describeProgress(progress: RotationProgress): string {
  switch (progress.stage) {
    case 'announced':
      return progress.keyFile === undefined
        ? `the new key is ${progress.keyId}`
        : `the new key is ${progress.keyId}, in ${progress.keyFile}; the current one is kept in ${progress.keyFile}.previous`;
    case 'waiting':
      return `waiting for ${progress.lacking.map(describeHolder).join('; ')}`;
    case 'current':
      return `secrets are sealed under the key ${progress.keyId} from now on`;
    case 'resealed':
      return `sealed ${progress.done} of ${progress.total} secrets under the new key`;
  }
}

function rotationToText({ keyId, previousKeyId, values, damaged }: RotationReport): string {
  return `\
current key:   ${keyId}, which opens all ${values} sealed values
previous key:  ${previousKeyId}
${describeDamaged(damaged)}Keep a copy of the previous key as long as backups from before this rotation exist: only it opens their secrets.
Then drop it here with: fieldroster key rotate --finish
`;
}

function rotationToJson({ keyId, previousKeyId, values, damaged }: RotationReport) {
  return { key_id: keyId, previous_key_id: previousKeyId, values, damaged };
}

function describeDamaged(damaged: readonly string[]): string {
  return damaged
    .map((value) => `damaged:       ${value}; no key opens it, and it was left as it is\n`)
    .join('');
}

async function runFinish(flags: RotateFlags): Promise<void> {
  const { keepOldKey } = flags;
  const options = { ...directoryOptions(flags), notice: warnOfNotice };
  const report = await finishRotation({ ...options, ...(keepOldKey !== undefined && { keepOldKey }) });
  await print(flags.json ? `${JSON.stringify(finishToJson(report))}\n` : finishToText(report, keepOldKey));
}

function finishToText({ keyId, previousKeyId, damaged }: FinishReport, kept: string | undefined): string {
  const dropped = previousKeyId === undefined ? 'its file was removed' : `${previousKeyId} was dropped`;
  const where = kept === undefined ? '' : `, and kept in ${kept}`;
  return `current key:   ${keyId}\nprevious key:  ${dropped}${where}\n${describeDamaged(damaged)}`;
}

function finishToJson({ keyId, previousKeyId, removedKeyFile, damaged }: FinishReport) {
  return { key_id: keyId, previous_key_id: previousKeyId ?? null, removed_key_file: removedKeyFile, damaged };
}

async function runCheck(flags: DirectoryFlags): Promise<void> {
  const report = await checkKeys({ ...directoryOptions(flags), notice: warnOfNotice });
  await print(flags.json ? `${JSON.stringify(checkToJson(report))}\n` : checkToText(report));
  if (report.unopened.length > 0) throw new ReportedFailure();
}

function checkToText(report: KeysReport): string {
  const { heldKeyIds, currentKeyId = 'none yet', nextKeyId, previousKeyId } = report;
  const lines = [
    `keys here:     ${heldKeyIds.join(', ') || 'none'}`,
    `current key:   ${currentKeyId}`,
    ...(nextKeyId === undefined
      ? []
      : [`next key:      ${nextKeyId}; continue with: fieldroster key rotate`]),
    ...(previousKeyId === undefined
      ? []
      : [`previous key:  ${previousKeyId}; drop it with: fieldroster key rotate --finish`]),
    ...report.uses.map(describeUse),
    ...report.unopened.map((value) => `not opened:    ${value}`),
    ...(report.unopened.length === 0 ? [] : [`what to do:    ${adviceOn(report)}`]),
    ...report.processes.map(
      (holder) => `process:       ${describeHolder(holder)}${holder.running ? '' : ', no longer runs'}`,
    ),
  ];
  return `${lines.join('\n')}\n`;
}

function adviceOn({ heldKeyIds, uses }: KeysReport): string {
  const lacking = uses.flatMap(({ keyId }) => keyId ?? []).filter((keyId) => !heldKeyIds.includes(keyId));
  return lacking.length === 0
    ? 'the values are damaged; see "If a sealed value is damaged" in docs/keys.md'
    : `bring back the key ${lacking.join(', ')}: put it in master.key or master.key.previous of the data folder ` +
        '(--data), or in FIELDROSTER_MASTER_KEY or FIELDROSTER_MASTER_KEY_PREVIOUS, which take precedence over the ' +
        'files; if it is lost for good, see docs/keys.md';
}

function describeUse({ keyId = 'an unknown key', values, opened, unnamed }: KeyUse): string {
  const form = unnamed === 0 ? '' : `; ${unnamed} do not name their key, which a rotation changes`;
  return `sealed values: ${values} under ${keyId}, ${opened} of them open here${form}`;
}

function checkToJson(report: KeysReport) {
  return {
    held_key_ids: report.heldKeyIds,
    current_key_id: report.currentKeyId ?? null,
    next_key_id: report.nextKeyId ?? null,
    previous_key_id: report.previousKeyId ?? null,
    sealed_values: report.uses.map(({ keyId = null, ...use }) => ({ key_id: keyId, ...use })),
    unopened: report.unopened,
    processes: report.processes.map(({ host, pid, keyIds, seenAtMs, running }) => ({
      host,
      pid,
      key_ids: keyIds,
      seen_at: isoTime(seenAtMs),
      running,
    })),
  };
}
