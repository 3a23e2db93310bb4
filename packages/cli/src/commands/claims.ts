import {
  type ClaimsReport,
  type ReplayRule,
  refusedAfterResetSeconds,
  reportClaims,
  resetClaims,
} from '@fieldroster/server/admin';
import type { Command } from 'commander';
import {
  addDirectoryOptions,
  type DirectoryFlags,
  replayOption,
  replayRule,
  withDirectory,
  withDirectoryToRead,
} from '../directory/with-directory.ts';
import { isoTimeOfSeconds } from '../output/iso-time.ts';
import { print } from '../output/print.ts';
import { UsageError } from '../run-program.ts';

export function completeClaims(claims: Command): void {
  claims.addHelpText('after', '\nExample:\n  $ fieldroster claims status');
  const status = claims
    .command('status')
    .description(
      'Show up to what time the record of accepted writes was purged, and whether new writes are refused',
    )
    .addHelpText('after', '\nExample:\n  $ fieldroster claims status --json')
    .action(showStatus);
  const reset = claims
    .command('reset')
    .description('Accept writes again after a clock ran far ahead')
    .option('--yes', 'Accept that some writes could take effect twice')
    .addHelpText('after', `\n${whatIsGivenUp}\n\nExample:\n  $ fieldroster claims reset --yes`)
    .action(runReset);
  for (const command of [status, reset]) addDirectoryOptions(command).addOption(replayOption());
}

const whatIsGivenUp = `\
After a clock ran far ahead, the record of accepted writes may have been purged
up to a time in the future. Until then, signed writes are refused with code
1012, because the server cannot know whether they are new.

Correct the clock first: on PostgreSQL the database's, on SQLite this machine's.
A reset ends the refusal within ${refusedAfterResetSeconds} seconds. It gives up one thing: a write that
was accepted with a Timestamp further in the future than that, and whose record
was purged, takes effect again if somebody resends it when its Timestamp has
come. No other write is affected. The audit of every tenant records the reset.`;

interface ClaimsFlags extends DirectoryFlags {
  readonly replay?: string;
}

async function showStatus(flags: ClaimsFlags): Promise<void> {
  const replay = replayRule(flags);
  const report = await withDirectoryToRead(flags, reportClaims);
  await print(flags.json ? `${JSON.stringify(toJson(report, replay))}\n` : toText(report, replay));
}

async function runReset(flags: ClaimsFlags & { readonly yes?: boolean }): Promise<void> {
  if (flags.yes !== true) {
    throw new UsageError(
      'a reset could let writes take effect twice; read `fieldroster claims reset --help`, then add --yes',
    );
  }
  const replay = replayRule(flags);
  const { before, after, changed } = await withDirectory(flags, resetClaims);
  if (flags.json) {
    await print(
      `${JSON.stringify({ changed, before: toJson(before, replay), after: toJson(after, replay) })}\n`,
    );
    return;
  }
  const done = changed
    ? `reset: writes with a Timestamp up to ${toTime(before.purgedTimestampSeconds)} were refused\n`
    : 'nothing to reset\n';
  await print(done + toText(after, replay));
}

function toText(report: ClaimsReport, replay: ReplayRule): string {
  const { purgedTimestampSeconds, kept, nowSeconds } = report;
  const refused =
    purgedTimestampSeconds === 0 ? 'nothing yet' : `Timestamp ${toTime(purgedTimestampSeconds)}`;
  const until = `until ${toTime(purgedTimestampSeconds + 1)}, in ${purgedTimestampSeconds + 1 - nowSeconds} s`;
  return [
    `time:         ${toTime(nowSeconds)}`,
    `purged up to: ${refused}`,
    `on record:    ${kept}`,
    `new writes:   ${stateOf(report, replay, until)}`,
    ...(replay === 'nonce' ? ['signed reads: as new writes, because of --replay nonce'] : []),
    '',
  ].join('\n');
}

function stateOf({ refusesWrites }: ClaimsReport, replay: ReplayRule, until: string): string {
  if (!refusesWrites) return 'accepted';
  return replay === 'off'
    ? `accepted because of --replay off; refused ${until} under another rule`
    : `refused ${until}`;
}

function toJson(
  { purgedTimestampSeconds, kept, nowSeconds, refusesWrites }: ClaimsReport,
  replay: ReplayRule,
) {
  return {
    time: isoTimeOfSeconds(nowSeconds),
    purged_timestamp: purgedTimestampSeconds,
    kept,
    refuses_writes: refusesWrites && replay !== 'off',
    refuses_reads: refusesWrites && replay === 'nonce',
    replay,
  };
}

/** Shows a time together with the number that a Timestamp header contains. */
function toTime(seconds: number): string {
  return `${seconds} (${isoTimeOfSeconds(seconds)})`;
}
