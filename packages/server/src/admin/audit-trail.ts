import {
  type AuditEntry,
  type AuditListRequest,
  type Database,
  type DirectoryReader,
  describeCommandActor,
  type ListPosition,
} from '../database/database.ts';
import { quoteVisibly } from '../directory/quote-visibly.ts';
import { AdminError } from './admin-error.ts';
import { requireApplication } from './applications.ts';
import { type FoundEvents, findOperatorEvents, mergeFound } from './audit-of-operator.ts';
import type { OpenDirectory } from './open-directory.ts';
import { requireOperator } from './operators.ts';
import { requireTenant } from './tenants.ts';

/** Whose changes to find: those of a user, by name or id, of a store or an application, or to and by an operator. */
export type AuditSubject =
  | { readonly username: string }
  | { readonly userId: bigint }
  | { readonly storeCode: string }
  | { readonly appId: string }
  | { readonly operator: string };

export interface AuditTrailRequest {
  /** Not used for an application, whose tenant is known. */
  readonly tenant: string;
  readonly subject: AuditSubject;
  /** Changes before this time only, in Unix milliseconds; exclusive. */
  readonly untilMs?: number | undefined;
  readonly limit: number;
  /** How long each search of the audit may take, in milliseconds. */
  readonly searchMsMax?: number;
}

/** An audit row that names who made the change. */
export interface AttributedEntry extends AuditEntry {
  /** APPID of a signed request, `operator mara`, or `root@host` of a command, with the user behind sudo. */
  readonly by: string;
  /** Name of the application, as it is now. */
  readonly appName?: string | undefined;
}

export interface AuditTrail {
  /** Newest first. */
  readonly events: readonly AttributedEntry[];
  /** Set when the search ended early: older changes than this may exist. Unix milliseconds. */
  readonly searchedBackToMs?: number;
  /** Users who look after the store now; absent for a user, and for a store that was deleted. */
  readonly lookedAfterBy?: { readonly usernames: readonly string[]; readonly hasMore: boolean };
}

/** Only a user's changes have an index, so a search goes back through the audit only for this long. */
const usualSearchMsMax = 700;

/** Size of the changes at which a search ends. A process needs several times as much memory to print them. */
const changeBytesMax = 32 * 1024 * 1024;

/**
 * Finds the changes of a subject in the audit, with values before and after. Those of an operator are what the operator
 * changed in the tenant and in the deployment, and what others changed about the operator.
 *
 * @throws {AdminError} when there is no such subject, and no user or store of that name was deleted recently
 */
export async function findAuditTrail(
  { database }: OpenDirectory,
  { tenant, subject, untilMs, limit, searchMsMax = usualSearchMsMax }: AuditTrailRequest,
): Promise<AuditTrail> {
  const until = untilMs === undefined ? {} : { untilMs: BigInt(untilMs) };
  if ('appId' in subject) {
    const { appId } = subject;
    const { tenantId } = await requireApplication({ database }, appId);
    const filters = { mentioned: appId, ...until };
    const found = await search(
      database.directory(tenantId),
      { filters, limit, searchMsMax },
      ({ changes }) => changes.app_id === appId,
    );
    return attribute(database, found);
  }
  const { id: tenantId } = await requireTenant(database, tenant);
  const directory = database.directory(tenantId);
  if ('operator' in subject) {
    const operator = await requireOperator({ database }, subject.operator);
    const filters = { operatorId: operator.id, ...until };
    const [inTenant, own] = await Promise.all([
      search(directory, { filters, limit, searchMsMax }, () => true),
      findOperatorEvents(database.operators, { operator, untilMs, limit, searchMsMax }),
    ]);
    return attribute(database, mergeFound(inTenant, own, limit));
  }
  if ('storeCode' in subject) {
    const { storeCode } = subject;
    const filters = { mentioned: storeCode, ...until };
    const found = await search(directory, { filters, limit, searchMsMax }, (event) =>
      concernsStore(event, storeCode),
    );
    return {
      ...(await attribute(database, found)),
      ...(await lookedAfter(directory, { storeCode, tenant }, found)),
    };
  }
  const userId =
    'userId' in subject
      ? subject.userId
      : await requireUser(directory, { username: subject.username, tenant, untilMs, searchMsMax });
  const filters = { userId, ...until };
  return attribute(database, await search(directory, { filters, limit, searchMsMax }, () => true));
}

async function attribute(
  { operators, applications }: Database,
  { events, ...rest }: FoundEvents,
): Promise<AuditTrail> {
  const names = new Map((await operators.list()).map(({ id, username }) => [String(id), username]));
  const appNames = new Map((await applications.listApplications()).map(({ appId, name }) => [appId, name]));
  const byOf = ({ appId, actor }: AuditEntry) => {
    if (appId !== undefined) return appId;
    if (actor === undefined) return '(command)';
    if (actor.kind === 'operator') return `operator ${names.get(actor.id) ?? actor.id}`;
    return describeCommandActor(actor);
  };
  return {
    ...rest,
    events: events.map((event) => ({
      ...event,
      by: byOf(event),
      appName: event.appId === undefined ? undefined : appNames.get(event.appId),
    })),
  };
}

const usersShownMax = 20;

async function lookedAfter(
  { stores }: DirectoryReader,
  { storeCode, tenant }: Readonly<Record<'storeCode' | 'tenant', string>>,
  { events }: FoundEvents,
): Promise<Pick<AuditTrail, 'lookedAfterBy'>> {
  if ((await stores.find(storeCode)) === undefined) {
    if (events.length > 0) return {};
    throw new AdminError(
      `tenant '${tenant}' has no store ${quoteVisibly(storeCode)}; check the spelling and --tenant`,
    );
  }
  const users = await stores.listUsers(storeCode, undefined, usersShownMax + 1);
  const usernames = users.slice(0, usersShownMax).map(({ username }) => username);
  return { lookedAfterBy: { usernames, hasMore: users.length > usersShownMax } };
}

interface NamedUser extends Pick<AuditTrailRequest, 'tenant' | 'untilMs'> {
  readonly username: string;
  readonly searchMsMax: number;
}

/** Looks for a deletion in the newest part of the audit too, because the changes before `untilMs` may be of its user. */
async function requireUser(directory: DirectoryReader, named: NamedUser): Promise<bigint> {
  const { username, untilMs } = named;
  const user = await directory.findUser({ username });
  if (user !== undefined) return user.id;
  const newest = await findDeletion(directory, named);
  if (newest.userId !== undefined) return newest.userId;
  const { searchedBackToMs = Number.NEGATIVE_INFINITY } = newest;
  if (untilMs === undefined || searchedBackToMs + 1 < untilMs) throw noUser(named, newest);
  const earlier = await findDeletion(directory, named, untilMs);
  if (earlier.userId !== undefined) return earlier.userId;
  throw noUser(named, { ...earlier, untilMs });
}

/** The part of the audit in which no deletion was found; all of it if nothing is set. */
interface Searched {
  readonly searchedBackToMs?: number;
  readonly untilMs?: number;
}

async function findDeletion(
  directory: DirectoryReader,
  { username, searchMsMax }: NamedUser,
  untilMs?: number,
): Promise<{ userId?: bigint | undefined; searchedBackToMs?: number }> {
  const filters = { mentioned: username, ...(untilMs !== undefined && { untilMs: BigInt(untilMs) }) };
  const { events, ...rest } = await search(directory, { filters, limit: 1, searchMsMax }, (event) =>
    removed(event, username),
  );
  return { userId: events[0]?.userId, ...rest };
}

function noUser({ username, tenant }: NamedUser, searched: Searched): AdminError {
  const none = `tenant '${tenant}' has no user ${quoteVisibly(username)}`;
  const { searchedBackToMs, untilMs } = searched;
  if (searchedBackToMs === undefined && untilMs === undefined)
    return new AdminError(
      `${none}; check the spelling and --tenant, or give an id with --user-id, even that of a user deleted long ago`,
    );
  return new AdminError(
    `${none}, and the audit ${partOf(searched)} records no deletion of one; check the spelling and --tenant${wayOn(searched)}, ` +
      'or give the id of the deleted user with --user-id',
  );
}

/** Includes the last millisecond, a part of which the search may have left out, unless the next search would end there too. */
function wayOn({ searchedBackToMs, untilMs }: Searched): string {
  if (searchedBackToMs === undefined) return '';
  const next = searchedBackToMs + 1;
  if (next !== untilMs) return `, search further back with --until ${iso(next)}`;
  return `, search further back with --until ${iso(searchedBackToMs)}, which leaves out the rest of that millisecond`;
}

function partOf({ searchedBackToMs, untilMs }: Searched): string {
  if (searchedBackToMs === undefined) return `before ${iso(untilMs ?? 0)}`;
  const next = searchedBackToMs + 1;
  if (untilMs === undefined) return `since ${iso(next)}`;
  return next === untilMs ? `just before ${iso(untilMs)}` : `from ${iso(next)} to ${iso(untilMs)}`;
}

const iso = (atMs: number) => new Date(atMs).toISOString();

/** Returns whether the event is the removal of the user with this name. */
function removed({ operation, changes }: AuditEntry, username: string): boolean {
  if (operation !== 'delete-user') return false;
  const { username: name } = changes as { username?: { from?: unknown } };
  return name?.from === username;
}

function concernsStore({ operation, changes }: AuditEntry, code: string): boolean {
  const { stores } = changes as { stores?: { added?: unknown[]; removed?: unknown[] } };
  if (stores?.added?.includes(code) || stores?.removed?.includes(code)) return true;
  return changes.code === code && operation.includes('store');
}

async function search(
  { lists }: DirectoryReader,
  { filters, limit, searchMsMax }: Pick<AuditListRequest, 'filters' | 'limit'> & { searchMsMax: number },
  accepts: (event: AuditEntry) => boolean,
): Promise<FoundEvents> {
  const endMs = performance.now() + searchMsMax;
  const events: AuditEntry[] = [];
  let after: ListPosition | undefined;
  let bytes = 0;
  do {
    const page = await lists.listAuditEvents({ filters, after, limit: Math.min(limit, 200) });
    const accepted = page.entries.filter(accepts);
    events.push(...accepted);
    if (accepted.length > 0) bytes += page.bytes;
    after = page.next;
  } while (
    after !== undefined &&
    events.length < limit &&
    bytes < changeBytesMax &&
    performance.now() < endMs
  );
  const searched = after === undefined ? {} : { searchedBackToMs: Number(after.at) };
  if (events.length <= limit) return { events, ...searched };
  return { events: events.slice(0, limit), searchedBackToMs: Number(events[limit - 1]?.atMs ?? 0n) };
}
