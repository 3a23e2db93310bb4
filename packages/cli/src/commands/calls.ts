import { setTimeout as delay } from 'node:timers/promises';
import { type CallTotals, type Database, latencyBoundMs, latencyBoundsMs } from '@fieldroster/server/admin';
import { type Command, Option } from 'commander';
import { parseDuration } from '../command-line/flag-values.ts';
import {
  addDirectoryOptions,
  type DirectoryFlags,
  withDirectoryToRead,
} from '../directory/with-directory.ts';
import { erasedTexts, hasNoTexts } from '../output/erased-texts.ts';
import { isoTime } from '../output/iso-time.ts';
import { type Listing, print, printable, printList, warn } from '../output/print.ts';

interface CallsFlags extends DirectoryFlags {
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
    .option('--follow', 'Show failed calls one by one as they happen, until Ctrl+C')
    .addHelpText(
      'after',
      `
Counts the calls of all servers by application, operation and code. Servers
write their counts once a minute. P99 is an upper bound: 99 of 100 calls took no
longer.

Example:
  $ fieldroster calls --since 24h --failed
  $ fieldroster calls --follow --json`,
    )
    .action((flags: CallsFlags) =>
      withDirectoryToRead(flags, ({ database }) =>
        flags.follow ? follow(database, flags) : summarize(database, flags),
      ),
    );
  addDirectoryOptions(calls);
}

const minuteMs = 60_000;

async function summarize({ bookkeeping }: Database, { since, failed, json }: CallsFlags): Promise<void> {
  const sinceMs = Math.floor((Date.now() - since) / minuteMs) * minuteMs;
  const totals = await bookkeeping.calls.totals({ sinceMs, failedOnly: failed === true });
  await printList(totals, listing, json === true);
  if (totals.length === 0) {
    warn(
      `no ${failed ? 'failed ' : ''}calls since ${isoTime(sinceMs)} are on record; servers write their counts once a minute${failed ? '; calls --follow shows them at once' : ''}`,
    );
  }
  const unkept = await bookkeeping.calls.countUnkept(sinceMs);
  if (unkept > 0) {
    warn(
      `${unkept} failed calls of this period are counted here, but not kept for \`fieldroster why\`, because too many failed`,
    );
  }
}

const listing: Listing<CallTotals> = {
  headings: ['APPLICATION', 'OPERATION', 'CODE', 'CALLS', 'MEAN MS', 'P99 MS'],
  cells: (totals) => [
    totals.appId || '(unknown)',
    totals.operation || '(none)',
    String(totals.code),
    String(totals.calls),
    meanMs(totals).toFixed(1),
    showBound(latencyBoundMs(totals, 0.99)),
  ],
  json: (totals) =>
    JSON.stringify({
      app_id: totals.appId,
      operation: totals.operation,
      code: totals.code,
      calls: totals.calls,
      mean_ms: Math.round(meanMs(totals) * 1000) / 1000,
      p99_ms_max: latencyBoundMs(totals, 0.99) ?? null,
      histogram: totals.histogram.map((calls, step) => ({ ms_max: latencyBoundsMs[step] ?? null, calls })),
    }),
};

function meanMs({ calls, totalUs }: CallTotals): number {
  return totalUs / 1000 / Math.max(1, calls);
}

function showBound(boundMs: number | undefined): string {
  return boundMs === undefined ? `>${latencyBoundsMs.at(-1)}` : `<=${boundMs}`;
}

const pollMs = 1_000;

const pageRows = 1_000;

/** Servers write a failed call up to ten seconds after it, so each query goes back further than the last call seen. */
const lookBackMs = 60_000;

async function follow({ bookkeeping }: Database, { since, json }: CallsFlags): Promise<void> {
  let newestMs = Date.now() - since;
  const seen = new Map<string, number>();
  let fromMs = newestMs;
  for (;;) {
    let after = { atMs: fromMs, requestId: '' };
    for (;;) {
      const page = await bookkeeping.calls.listFailures(after, pageRows);
      for (const call of page.filter(({ requestId }) => !seen.has(requestId))) {
        seen.set(call.requestId, call.atMs);
        // A server with a fast clock dates its calls ahead, and must not hide those of the others.
        newestMs = Math.max(newestMs, Math.min(call.atMs, Date.now()));
        if (!(await print(json ? `${JSON.stringify(toJson(call))}\n` : toLine(call)))) return;
      }
      const last = page.at(-1);
      if (last === undefined || page.length < pageRows) break;
      after = last;
    }
    fromMs = Math.max(fromMs, newestMs - lookBackMs);
    for (const [requestId, atMs] of seen) if (atMs < fromMs) seen.delete(requestId);
    await delay(pollMs);
  }
}

type FailedCall = Awaited<ReturnType<Database['bookkeeping']['calls']['listFailures']>>[number];

function toLine({
  atMs,
  appId = '(none)',
  operation = '(none)',
  code,
  requestId,
  message,
  cause,
  target,
}: FailedCall): string {
  const text = hasNoTexts({ target }) ? erasedTexts : message;
  const reason = cause === undefined ? text : `${text}: ${cause}`;
  return `${printable([isoTime(atMs), appId, operation, code, requestId, reason].join('  '))}\n`;
}

function toJson({ atMs, appId, operation, code, requestId, message, cause }: FailedCall) {
  return {
    at: isoTime(atMs),
    app_id: appId ?? null,
    operation: operation ?? null,
    code,
    request_id: requestId,
    message,
    likely_cause: cause ?? null,
  };
}
