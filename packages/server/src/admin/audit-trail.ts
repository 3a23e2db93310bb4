import {
  type AuditEntry,
  type AuditListRequest,
  type Database,
  type DirectoryReader,
  describeCommandActor,
  type ListPosition,
} from '../database/database.ts';
import { AdminError } from './admin-error.ts';
import type { OpenDirectory } from './open-directory.ts';
import { requireTenant } from './tenants.ts';

/** Whose changes to find: those of a user, by name or id, or of a store. */
export type AuditSubject =
  | { readonly username: string }
  | { readonly userId: bigint }
  | { readonly storeCode: string };

export interface AuditTrailRequest {
  readonly tenant: string;
  readonly subject: AuditSubject;
  /** Changes before this time only, in Unix milliseconds; exclusive. */
  readonly untilMs?: number | undefined;
  readonly limit: number;
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

/** The result of a search, without the names of those who made the changes. */
type Found = Omit<AuditTrail, 'events'> & { readonly events: readonly AuditEntry[] };

/** A store's changes have no index, so a search goes back through the audit only for this long. */
const searchMsMax = 700;

/** Size of the changes at which a search ends. A process needs several times as much memory to print them. */
const changeBytesMax = 32 * 1024 * 1024;

/**
 * Finds the changes of a user or a store in the audit, with values before and after.
 *
 * @throws {AdminError} when the tenant has no such user or store, and none of that name was deleted recently
 */
export async function findAuditTrail(
  { database }: OpenDirectory,
  { tenant, subject, untilMs, limit }: AuditTrailRequest,
): Promise<AuditTrail> {
  const { id: tenantId } = await requireTenant(database, tenant);
  const directory = database.directory(tenantId);
  const until = untilMs === undefined ? {} : { untilMs: BigInt(untilMs) };
  if ('storeCode' in subject) {
    const { storeCode } = subject;
    const filters = { mentioned: storeCode, ...until };
    const found = await search(directory, { filters, limit }, (event) => concernsStore(event, storeCode));
    return {
      ...(await attribute(database, found)),
      ...(await lookedAfter(directory, { storeCode, tenant }, found)),
    };
  }
  const userId =
    'userId' in subject ? subject.userId : await requireUser(directory, subject.username, tenant);
  return attribute(database, await search(directory, { filters: { userId, ...until }, limit }, () => true));
}

async function attribute(
  { operators, applications }: Database,
  { events, ...rest }: Found,
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
  { events }: Found,
): Promise<Pick<AuditTrail, 'lookedAfterBy'>> {
  if ((await stores.find(storeCode)) === undefined) {
    if (events.length > 0) return {};
    throw new AdminError(
      `tenant '${tenant}' has no store ${JSON.stringify(storeCode)}; check the spelling and --tenant`,
    );
  }
  const users = await stores.listUsers(storeCode, undefined, usersShownMax + 1);
  const usernames = users.slice(0, usersShownMax).map(({ username }) => username);
  return { lookedAfterBy: { usernames, hasMore: users.length > usersShownMax } };
}

async function requireUser(directory: DirectoryReader, username: string, tenant: string): Promise<bigint> {
  const user = await directory.findUser({ username });
  if (user !== undefined) return user.id;
  const deleted = await search(directory, { filters: { mentioned: username }, limit: 1 }, (event) =>
    removed(event, username),
  );
  const [event] = deleted.events;
  if (event?.userId !== undefined) return event.userId;
  throw new AdminError(
    `tenant '${tenant}' has no user ${JSON.stringify(username)}; check the spelling and --tenant, or give an id ` +
      'with --user-id, even that of a user deleted long ago',
  );
}

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
  { filters, limit }: Pick<AuditListRequest, 'filters' | 'limit'>,
  accepts: (event: AuditEntry) => boolean,
): Promise<Found> {
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
