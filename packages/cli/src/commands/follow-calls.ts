import { setTimeout as delay } from 'node:timers/promises';
import { type Database, type FailedCallRecord, isOutage } from '@fieldroster/server/admin';
import { erasedTexts, hasNoTexts } from '../output/erased-texts.ts';
import { isoTime } from '../output/iso-time.ts';
import { print, printable, warn } from '../output/print.ts';

/** Which calls to count or to follow; all given filters must match. */
export interface Filters {
  readonly app?: string;
  readonly operation?: string;
  readonly code?: number;
}

const pollMs = 1_000;

const pageRows = 1_000;

/** Servers write a failed call up to ten seconds after it, so each query goes back further than the last call seen. */
const lookBackMs = 60_000;

/** After an outage, one server may write its failed calls this much later than another. */
const catchUpMs = 30_000;

interface Following extends Filters {
  /** How far to look back at first, in milliseconds. */
  readonly since: number;
  readonly json?: boolean;
}

/** Shows failed calls as they happen, until the output is closed. */
export async function follow(
  { bookkeeping }: Database,
  { since, json, ...filters }: Following,
): Promise<void> {
  let newestMs = Date.now() - since;
  const seen = new Map<string, number>();
  let fromMs = newestMs;
  let outageEndedAtMs = Number.NEGATIVE_INFINITY;
  const noteEnd = () => {
    outageEndedAtMs = performance.now();
  };
  for (;;) {
    let after = { atMs: fromMs, requestId: '' };
    for (;;) {
      const start = after;
      const page = await outlast(() => bookkeeping.calls.listFailures(start, pageRows), noteEnd);
      for (const call of page.filter(({ requestId }) => !seen.has(requestId))) {
        seen.set(call.requestId, call.atMs);
        // A server with a fast clock dates its calls ahead, and must not hide those of the others.
        newestMs = Math.max(newestMs, Math.min(call.atMs, Date.now()));
        if (!passes(call, filters)) continue;
        if (!(await print(json ? `${JSON.stringify(toJson(call))}\n` : toLine(call)))) return;
      }
      const last = page.at(-1);
      if (last === undefined || page.length < pageRows) break;
      after = last;
    }
    if (performance.now() - outageEndedAtMs > catchUpMs) fromMs = Math.max(fromMs, newestMs - lookBackMs);
    for (const [requestId, atMs] of seen) if (atMs < fromMs) seen.delete(requestId);
    await delay(pollMs);
  }
}

/**
 * Reads again until a database answers that is away for a while, for example during its restart.
 *
 * @param noteEnd is called when the database answers again
 * @throws an error that waiting does not cure, such as that of a wrong password
 */
async function outlast<Found>(read: () => Promise<Found>, noteEnd: () => void): Promise<Found> {
  for (let isAway = false; ; isAway = true) {
    try {
      const found = await read();
      if (isAway) {
        noteEnd();
        warn('the database answers again');
      }
      return found;
    } catch (error) {
      if (!(await isOutage(error))) throw error;
      if (!isAway) warn(`${(error as Error).message}; failed calls show again once it answers`);
    }
    await delay(pollMs);
  }
}

function passes(call: FailedCallRecord, { app, operation, code }: Filters): boolean {
  return (
    (app === undefined || call.appId === app) &&
    (operation === undefined || call.operation === operation) &&
    (code === undefined || call.code === code)
  );
}

function toLine({
  atMs,
  appId = '(none)',
  operation = '(none)',
  code,
  requestId,
  message,
  cause,
  target,
}: FailedCallRecord): string {
  const text = hasNoTexts({ target }) ? erasedTexts : message;
  const reason = cause === undefined ? text : `${text}: ${cause}`;
  return `${printable([isoTime(atMs), appId, operation, code, requestId, reason].join('  '))}\n`;
}

function toJson({ atMs, appId, operation, code, requestId, message, cause }: FailedCallRecord) {
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
