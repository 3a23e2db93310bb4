import {
  type AuditSubject,
  type AuditTrail,
  defaultTenantName,
  findAuditTrail,
  stringifyExactJson,
} from '@fieldroster/server/admin';
import type { Command } from 'commander';
import { countBetween, parseId, parseTime } from '../command-line/flag-values.ts';
import {
  addDirectoryOptions,
  type DirectoryFlags,
  withDirectoryToRead,
} from '../directory/with-directory.ts';
import { isoTime, isoTimeOrNull } from '../output/iso-time.ts';
import { type Listing, print, printList, warn } from '../output/print.ts';
import { UsageError } from '../run-program.ts';

interface WhoFlags extends DirectoryFlags {
  readonly user?: string;
  readonly userId?: bigint;
  readonly store?: string;
  readonly app?: string;
  readonly operator?: string;
  readonly tenant: string;
  readonly until?: number;
  readonly limit: number;
}

const limitMax = 10_000;

export function completeWho(who: Command): void {
  who
    .option('--user <username>', 'Changes to this user')
    .option('--user-id <id>', 'Changes to the user with this id, even if deleted', parseId)
    .option('--store <code>', 'Changes to this store, and to who looks after it')
    .option('--app <appid>', 'Changes to this application, even if revoked')
    .option('--operator <name>', 'Changes by this operator, and to their account')
    .option(
      '--tenant <tenant>',
      'Tenant of the user or store; with --operator, the tenant whose changes to show',
      defaultTenantName,
    )
    .option(
      '--until <time>',
      'Only changes before this time: 2026-01-31 (UTC) or 2026-01-31T12:00:00Z',
      parseTime,
    )
    .option('--limit <number>', 'Changes to show', countBetween(1, limitMax), 50)
    .addHelpText(
      'after',
      `
Shows who changed what, newest first, with values before and after, from the
audit. Long values are cut. With --json, prints one object with whole values:
the changes are its events. If searched_back_to is not null, a search with an
--until one millisecond later goes on without a gap. For a store,
looked_after_by has up to 20 of the users who look after it now, and has_more
says whether there are others. For an operator, the changes are those in the
tenant and those of the deployment, such as invitations and backups.

A deleted user is looked for by the last name, in the newest part of the audit
and in the part before --until. If neither has the deletion, the error says how
far back the search went.

Example:
  $ fieldroster who --user mara.okafor
  $ fieldroster who --store N-001 --limit 10 --json
  $ fieldroster who --operator ann`,
    )
    .action(showTrail);
  addDirectoryOptions(who);
}

async function showTrail(flags: WhoFlags): Promise<void> {
  const { tenant, limit, until, json } = flags;
  const subject = subjectOf(flags);
  const trail = await withDirectoryToRead(flags, (directory) =>
    findAuditTrail(directory, { tenant, subject, limit, untilMs: until }),
  );
  if (json === true) {
    await print(`${toJson(trail)}\n`);
    return;
  }
  await printList(trail.events, listingOf(flags.store), false);
  tellRest(trail, subject, flags);
}

function toJson({ events, searchedBackToMs, lookedAfterBy }: AuditTrail): string {
  return stringifyExactJson({
    // Only for a store that exists.
    ...(lookedAfterBy && {
      looked_after_by: { usernames: lookedAfterBy.usernames, has_more: lookedAfterBy.hasMore },
    }),
    searched_back_to: isoTimeOrNull(searchedBackToMs),
    events: events.map(eventFields),
  });
}

function subjectOf({ user, userId, store, app, operator }: WhoFlags): AuditSubject {
  const given: AuditSubject[] = [];
  if (user !== undefined) given.push({ username: user });
  if (userId !== undefined) given.push({ userId });
  if (store !== undefined) given.push({ storeCode: store });
  if (app !== undefined) given.push({ appId: app });
  if (operator !== undefined) given.push({ operator });
  const [subject, another] = given;
  if (subject === undefined || another !== undefined)
    throw new UsageError(
      'give exactly one of --user, --user-id, --store, --app and --operator: fieldroster who --user mara.okafor',
    );
  return subject;
}

function tellRest(
  { events, searchedBackToMs, lookedAfterBy }: AuditTrail,
  subject: AuditSubject,
  { until, limit }: Pick<WhoFlags, 'until' | 'limit'>,
): void {
  if (lookedAfterBy !== undefined) {
    const { usernames, hasMore } = lookedAfterBy;
    warn(`now looked after by: ${usernames.join(', ') || 'nobody'}${hasMore ? ', and others' : ''}`);
  }
  if (searchedBackToMs !== undefined) {
    const mayRaise = events.length >= limit && limit < limitMax;
    warn(
      `searched back to ${isoTime(searchedBackToMs)}${describeWayOn({ searchedBackToMs, until, mayRaise })}`,
    );
  } else if (events.length === 0) {
    warn(`the audit has no such change; ${whyNone(subject)}`);
  }
}

interface EndedSearch {
  readonly searchedBackToMs: number;
  readonly until: number | undefined;
  /** Whether a larger `--limit` would show more. A search also ends after some time, and at some size of the changes. */
  readonly mayRaise: boolean;
}

/** Includes the millisecond in which the search ended, because a bulk write dates many changes alike. */
function describeWayOn({ searchedBackToMs, until, mayRaise }: EndedSearch): string {
  const next = searchedBackToMs + 1;
  if (until !== next)
    return `; for older changes, add --until ${isoTime(next)}${mayRaise ? ', or raise --limit' : ''}`;
  const raise = mayRaise ? 'raise --limit, or ' : '';
  return `, which may have more changes; ${raise}leave them out with --until ${isoTime(searchedBackToMs)}`;
}

function whyNone(subject: AuditSubject): string {
  if ('storeCode' in subject) return 'a store that a CSV import changed is counted there, not named';
  const toCheck = 'username' in subject || 'userId' in subject ? 'the user, --tenant and --until' : '--until';
  return `check ${'operator' in subject ? '--tenant and --until' : toCheck}, and whether serve --audit-keep deletes old rows`;
}

type AuditEvent = AuditTrail['events'][number];

/** @param store is shown before the other codes of a change */
const listingOf = (store: string | undefined): Listing<AuditEvent> => ({
  headings: ['TIME', 'BY', 'OPERATION', 'USER ID', 'REQUEST', 'CHANGES'],
  cells: ({ atMs, by, appName, operation, userId, requestId = '-', changes }) => [
    isoTime(atMs),
    appName === undefined ? by : `${by} (${appName})`,
    operation,
    userId === undefined ? '-' : String(userId),
    requestId,
    Object.entries(changes)
      .flatMap((change) => showChange(change, store))
      .join('; ') || 'nothing',
  ],
  json: (event) => stringifyExactJson(eventFields(event)),
});

function eventFields({ atMs, by, appId, appName, operation, userId, requestId, changes }: AuditEvent) {
  return {
    at: isoTime(atMs),
    by,
    app_id: appId ?? null,
    app_name: appName ?? null,
    operation,
    user_id: userId ?? null,
    request_id: requestId ?? null,
    changes,
  };
}

const codesShown = 5;

/** Shows one change of an audit row: `nickname: "M" -> "Mara"`, `stores: +N-001 -N-002`; nothing for an empty one. */
function showChange([name, change]: [string, unknown], store: string | undefined): string[] {
  const { from, to, added, removed } = (change ?? {}) as Record<string, unknown>;
  if (Array.isArray(added) || Array.isArray(removed)) {
    const codes = [...showCodes('+', added, 'added', store), ...showCodes('-', removed, 'removed', store)];
    return codes.length === 0 ? [] : [`${name}: ${codes.join(' ')}`];
  }
  if (from === undefined && to === undefined) return [`${name}: ${showValue(change)}`];
  return [`${name}: ${showValue(from)} -> ${showValue(to)}`];
}

function showCodes(sign: string, codes: unknown, done: string, store: string | undefined): string[] {
  const given = Array.isArray(codes) ? codes : [];
  const all = given.includes(store) ? [store, ...given.filter((code) => code !== store)] : given;
  const more = all.length > codesShown ? [`(${all.length - codesShown} more ${done})`] : [];
  return [...all.slice(0, codesShown).map((code) => `${sign}${code}`), ...more];
}

/** A longer text would hide the other changes of its row. */
const charactersShown = 80;

function showValue(value: unknown): string {
  if (value === undefined) return '(none)';
  const characters = [...(typeof value === 'string' ? value : JSON.stringify(value))];
  const leftOut = characters.length - charactersShown;
  if (leftOut <= 0) return JSON.stringify(value);
  const start = characters.slice(0, charactersShown).join('');
  return `${typeof value === 'string' ? JSON.stringify(start) : start}… (${leftOut} more characters)`;
}
