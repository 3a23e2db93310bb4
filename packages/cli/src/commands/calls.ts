import { errorCodes, operations } from '@fieldroster/contract';
import {
  type CallTotalsSince,
  type Database,
  latencyBoundMs,
  latencyBoundsMs,
  type OpenDirectory,
  requireApplication,
} from '@fieldroster/server/admin';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { accept, countBetween, parseDuration } from '../command-line/flag-values.ts';
import { suggestName } from '../config/suggest-name.ts';
import {
  addDirectoryOptions,
  type DirectoryFlags,
  withDirectoryToRead,
} from '../directory/with-directory.ts';
import { isoTime } from '../output/iso-time.ts';
import { type Listing, print, printList, warn } from '../output/print.ts';
import { UsageError } from '../run-program.ts';
import { type Filters, follow } from './follow-calls.ts';

interface CallsFlags extends DirectoryFlags, Filters {
  readonly since: number;
  readonly failed?: true;
  readonly follow?: true;
}

export function completeCalls(calls: Command): void {
  calls
    .addOption(
      new Option('--since <duration>', 'How far to look back: 15m, 24h, 7d')
        .argParser(parseDuration)
        .default(parseDuration('1h'), '1h'),
    )
    .option('--failed', 'Only calls that were answered with a code other than 0')
    .option('--app <appid>', 'Only calls of this application')
    .option(
      '--operation <name>',
      'Only calls of this operation, such as query-user',
      accept(whyUnknownOperation),
    )
    .option('--code <code>', 'Only calls that were answered with this code, such as 1014', parseCode)
    .option('--follow', 'Show failed calls one by one as they happen, until Ctrl+C')
    .addHelpText(
      'after',
      `
Counts the calls of all servers by application, operation and code. Servers
write their counts once a minute, so calls of the last 70 seconds may be
missing. P99 is an upper bound: 99 of 100 calls took no longer. FIRST and LAST
are the minutes of the first and the last such call, or the hours if --since is
longer than 24h.

Example:
  $ fieldroster calls --since 24h --failed
  $ fieldroster calls --app fr0123456789abcdef01 --code 1014
  $ fieldroster calls --follow --json`,
    )
    .action((flags: CallsFlags) => withDirectoryToRead(flags, (directory) => showCalls(directory, flags)));
  addDirectoryOptions(calls);
}

async function showCalls(directory: OpenDirectory, flags: CallsFlags): Promise<void> {
  if (flags.follow && flags.code === 0)
    throw new UsageError(
      '--follow shows failed calls only, and code 0 is no failure; leave out --follow to count them',
    );
  if (flags.since === 0 && flags.follow !== true)
    throw new UsageError(
      '--since 0 leaves no calls to count; say how far to look back, as in 15m, or add --follow to see calls from now on',
    );
  if (flags.app !== undefined) await requireApplication(directory, flags.app);
  await (flags.follow ? follow : summarize)(directory.database, flags);
}

/** Refuses a mistyped code: otherwise the answer would be that no such call failed. */
function parseCode(text: string): number {
  const code = countBetween(0, 9_999)(text);
  if (code !== 0 && !Object.hasOwn(errorCodes, code))
    throw new InvalidArgumentError(`Note: no call is answered with ${code}; docs/errors.md lists the codes.`);
  return code;
}

function whyUnknownOperation(name: string): string | undefined {
  const names = Object.values(operations).map((operation) => operation.name);
  if (names.some((known) => known === name)) return undefined;
  const suggestion = suggestName(name, names);
  return suggestion === undefined
    ? 'there is no such operation'
    : `there is no such operation; the nearest name is ${suggestion}`;
}

const minuteMs = 60_000;

/** How far back minutes are read. Further back, hours are, so that the query stays fast. */
const byMinuteMsMax = 24 * 60 * minuteMs;

async function summarize({ bookkeeping }: Database, flags: CallsFlags): Promise<void> {
  const { since, failed, json, app, operation, code } = flags;
  const sinceMs = Math.floor((Date.now() - since) / minuteMs) * minuteMs;
  const selection = {
    sinceMs,
    failedOnly: failed === true,
    ...(app !== undefined && { appIds: [app] }),
    ...(operation !== undefined && { operation }),
    ...(code !== undefined && { code }),
  };
  const totals = await bookkeeping.calls.totals(selection, since <= byMinuteMsMax);
  await printList(totals, listing, json === true);
  const none = `no ${isFiltered(flags) ? 'such ' : ''}${failed ? 'failed ' : ''}calls since ${isoTime(sinceMs)} are on record; `;
  const told = `${totals.length === 0 ? none : ''}${describeDelay(failed === true)}`;
  // Somebody who keeps or pipes only the table must not take it for the whole truth.
  if (json !== true) await print(`${told}\n`);
  else if (totals.length === 0) warn(told);
  const unkept = await bookkeeping.calls.countUnkept(sinceMs);
  if (unkept > 0) {
    warn(
      `${unkept} failed calls of this period are counted${isFiltered(flags) ? '' : ' here'}, but not kept for \`fieldroster why\`, because too many failed`,
    );
  }
}

/** Servers hand their counts over once a minute, and on PostgreSQL write them up to ten seconds later. */
const delaySecondsMax = 70;

function describeDelay(failed: boolean): string {
  const sooner = failed ? '; failed calls show sooner with: fieldroster calls --follow' : '';
  return `calls of the last ${delaySecondsMax} seconds may be missing, because servers write their counts once a minute${sooner}`;
}

function isFiltered({ app, operation, code }: Filters): boolean {
  return app !== undefined || operation !== undefined || code !== undefined;
}

const listing: Listing<CallTotalsSince> = {
  headings: ['APPLICATION', 'OPERATION', 'CODE', 'CALLS', 'MEAN MS', 'P99 MS', 'FIRST', 'LAST'],
  cells: (totals) => [
    totals.appId || '(unknown)',
    totals.operation || '(none)',
    String(totals.code),
    String(totals.calls),
    meanMs(totals).toFixed(1),
    showBound(latencyBoundMs(totals, 0.99)),
    showMinute(totals.firstMs),
    showMinute(totals.lastMs),
  ],
  json: (totals) =>
    JSON.stringify({
      app_id: totals.appId,
      operation: totals.operation,
      code: totals.code,
      calls: totals.calls,
      mean_ms: Math.round(meanMs(totals) * 1000) / 1000,
      p99_ms_max: latencyBoundMs(totals, 0.99) ?? null,
      first_at: isoTime(totals.firstMs),
      last_at: isoTime(totals.lastMs),
      histogram: totals.histogram.map((calls, step) => ({ ms_max: latencyBoundsMs[step] ?? null, calls })),
    }),
};

/** Leaves out seconds, which are always 0. */
function showMinute(atMs: number): string {
  return isoTime(atMs).replace(':00.000Z', 'Z');
}

function meanMs({ calls, totalUs }: CallTotalsSince): number {
  return totalUs / 1000 / Math.max(1, calls);
}

function showBound(boundMs: number | undefined): string {
  return boundMs === undefined ? `>${latencyBoundsMs.at(-1)}` : `<=${boundMs}`;
}
