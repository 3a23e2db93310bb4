import { newLink } from '../console/sign-in/operator-links.ts';
import type {
  CommandActor,
  OperatorAccess,
  OperatorEvent,
  OperatorRecord,
  OperatorRole,
  OperatorWriter,
} from '../database/database.ts';
import { makeDecoyHash } from '../passwords/hashes/argon2.ts';
import { AdminError } from './admin-error.ts';
import type { OpenDirectory } from './open-directory.ts';
import { requireTenant } from './tenants.ts';

export interface InviteRequest {
  readonly role: OperatorRole;
  /** Names of the tenants that the operator may see; all when left out. */
  readonly tenants?: readonly string[];
}

/** A link that works once. Its token is shown only once. */
export interface IssuedLink {
  /** Its id in the list of open links, which does not open it. */
  readonly id: string;
  readonly token: string;
  readonly expiresAtMs: number;
}

/** Makes a link that creates an operator. Throws an error that names an unknown tenant. */
export async function inviteOperator(
  directory: OpenDirectory,
  { role, tenants }: InviteRequest,
): Promise<IssuedLink> {
  const found = await Promise.all((tenants ?? []).map((name) => requireTenant(directory.database, name)));
  const access = { role, allTenants: tenants === undefined, tenantIds: found.map(({ id }) => id) };
  return issueLink(directory, access, {
    operation: 'operator invite',
    changes: { role, tenants: tenants ?? 'all' },
  });
}

/**
 * Makes a link that sets a new password and turns the second factor off.
 *
 * @param atOnce whether the old password and all sessions end now; otherwise they end when the link is used
 * @throws {AdminError} for an unknown name
 */
export async function resetOperator(
  directory: OpenDirectory,
  username: string,
  { atOnce = false } = {},
): Promise<IssuedLink> {
  const { database } = directory;
  const operator = await requireOperator(directory, username);
  const { id } = operator;
  const issued = await issueLink(
    directory,
    { ...operator, operatorId: id },
    { operation: 'operator reset', changes: { username, ...(atOnce && { at_once: true }) } },
    async (operators, nowMs) => {
      if (atOnce) await operators.update(id, { passwordHash: makeDecoyHash(), sessionsFromMs: nowMs });
    },
  );
  if (atOnce) await database.bookkeeping.operatorSessions.removeOf(id);
  return issued;
}

/** The effects of enabling or disabling an operator. */
export interface StatusOutcome {
  /** Open links for the operator, and those that the operator had made, which ended. */
  readonly endedLinks: number;
  /** Whether an active owner of all tenants is left. */
  readonly ownerLeft: boolean;
}

/**
 * Sets whether an operator may sign in. Disabling also ends the sessions and the open links.
 *
 * @throws {AdminError} for an unknown name
 */
export async function setOperatorStatus(
  directory: OpenDirectory,
  username: string,
  status: OperatorRecord['status'],
): Promise<StatusOutcome> {
  const { id } = await requireOperator(directory, username);
  const operation = `operator ${status === 'active' ? 'enable' : 'disable'}`;
  const sessionsFromMs = await directory.database.claims.databaseTimeMs();
  const outcome = await directory.database.operators.write(undefined, async (operators) => {
    const before = await operators.listLinks();
    await operators.update(id, { status, ...(status === 'disabled' && { sessionsFromMs }) });
    const endedLinks = before.length - (await operators.listLinks()).length;
    const changes = { username, ...(endedLinks > 0 && { ended_links: endedLinks }) };
    const ownerLeft = (await operators.list()).some(isActiveOwner);
    return { result: { endedLinks, ownerLeft }, event: { operation, changes, ...ranBy(directory) } };
  });
  if (status === 'disabled') await directory.database.bookkeeping.operatorSessions.removeOf(id);
  return outcome;
}

function isActiveOwner({ role, allTenants, status }: OperatorRecord): boolean {
  return role === 'owner' && allTenants && status === 'active';
}

/** Returns the actor of the event of a command. */
export function ranBy({ actor }: OpenDirectory): { readonly actor?: CommandActor } {
  return actor?.kind === 'command' ? { actor } : {};
}

async function issueLink(
  directory: OpenDirectory,
  access: OperatorAccess & { readonly operatorId?: bigint },
  event: Pick<OperatorEvent, 'operation' | 'changes'>,
  changeBefore?: (operators: OperatorWriter, nowMs: number) => Promise<void>,
): Promise<IssuedLink> {
  const nowMs = await directory.database.claims.databaseTimeMs();
  const { token, link } = newLink(access, nowMs);
  await directory.database.operators.write(undefined, async (operators) => {
    // A new password ends the links made before.
    await changeBefore?.(operators, nowMs);
    await operators.insertLink(link);
    return { result: undefined, event: { ...event, ...ranBy(directory) } };
  });
  return { id: link.tokenHash, token, expiresAtMs: link.expiresAtMs };
}

/** @throws {AdminError} for an unknown name */
export async function requireOperator(
  { database }: Pick<OpenDirectory, 'database'>,
  username: string,
): Promise<OperatorRecord> {
  const operator = await database.operators.findByUsername(username);
  if (operator !== undefined) return operator;
  throw new AdminError(`there is no operator '${username}'; list them with: fieldroster operator list`);
}
