import { newLink } from '../console/sign-in/operator-links.ts';
import type {
  CommandActor,
  OperatorAccess,
  OperatorEvent,
  OperatorRecord,
  OperatorRole,
} from '../database/database.ts';
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

/** Makes a link that sets a new password and turns the second factor off. Throws `AdminError` for an unknown name. */
export async function resetOperator(directory: OpenDirectory, username: string): Promise<IssuedLink> {
  const operator = await requireOperator(directory, username);
  return issueLink(
    directory,
    { ...operator, operatorId: operator.id },
    { operation: 'operator reset', changes: { username } },
  );
}

/** Sets whether an operator may sign in; disabling ends the sessions too. Throws `AdminError` for an unknown name. */
export async function setOperatorStatus(
  directory: OpenDirectory,
  username: string,
  status: OperatorRecord['status'],
): Promise<void> {
  const { id } = await requireOperator(directory, username);
  const operation = `operator ${status === 'active' ? 'enable' : 'disable'}`;
  const sessionsFromMs = await directory.database.claims.databaseTimeMs();
  await directory.database.operators.write(undefined, async (operators) => {
    await operators.update(id, { status, ...(status === 'disabled' && { sessionsFromMs }) });
    return { result: undefined, event: { operation, changes: { username }, ...ranBy(directory) } };
  });
  if (status === 'disabled') await directory.database.bookkeeping.operatorSessions.removeOf(id);
}

/** Returns the actor of the event of a command. */
export function ranBy({ actor }: OpenDirectory): { readonly actor?: CommandActor } {
  return actor?.kind === 'command' ? { actor } : {};
}

async function issueLink(
  directory: OpenDirectory,
  access: OperatorAccess & { readonly operatorId?: bigint },
  event: Pick<OperatorEvent, 'operation' | 'changes'>,
): Promise<IssuedLink> {
  const { token, link } = newLink(access, await directory.database.claims.databaseTimeMs());
  await directory.database.operators.write(undefined, async (operators) => {
    await operators.insertLink(link);
    return { result: undefined, event: { ...event, ...ranBy(directory) } };
  });
  return { token, expiresAtMs: link.expiresAtMs };
}

async function requireOperator({ database }: OpenDirectory, username: string): Promise<OperatorRecord> {
  const operator = await database.operators.findByUsername(username);
  if (operator !== undefined) return operator;
  throw new AdminError(`there is no operator '${username}'; list them with: fieldroster operator list`);
}
