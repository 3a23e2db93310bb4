import type { AuditWords } from '@fieldroster/contract';
import type { ConsoleOperations } from '@fieldroster/contract/console';
import type {
  OperatorAccess,
  OperatorLink,
  OperatorReader,
  OperatorWriter,
} from '../../database/database.ts';
import { invisibleInOperatorName } from '../../directory/invisible-character.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { ConsoleContext, ConsoleHandler } from '../console-context.ts';
import { ownerOfLinks } from '../owner-of-turns.ts';
import { findLink } from '../sign-in/operator-links.ts';
import { findOperatorTwin } from '../sign-in/operator-name.ts';
import { hashOperatorPassword } from '../sign-in/operator-password.ts';
import { hashToken } from '../sign-in/tokens.ts';
import { presentSession } from './present-session.ts';
import { requireUnguessable } from './require-unguessable.ts';

const notValid = { key: 'linkEnded', values: {} } as const;

export const queryLink: ConsoleHandler<ConsoleOperations['queryLink']> = async ({ token }, context) => {
  const { operators } = context.parts.database;
  const link = await findLink(operators, hashToken(token), context.parts.now());
  if (link === undefined) throw context.refuse(1607, notValid);
  const operator = link.operatorId === undefined ? undefined : await operators.find(link.operatorId);
  return {
    purpose: link.operatorId === undefined ? 'invite' : 'reset',
    role: operator?.role ?? link.role,
    username: operator?.username ?? '',
    expires_at: BigInt(link.expiresAtMs),
  };
};

export const useLink: ConsoleHandler<ConsoleOperations['useLink']> = async (input, context) => {
  const { parts, refuse } = context;
  const { operators } = parts.database;
  const tokenHash = hashToken(input.token);
  // Hashing a password is expensive, so a made-up link must not cause it.
  const known = await findLink(operators, tokenHash, parts.now());
  if (known === undefined) throw refuse(1607, notValid);
  await requireUnguessable(input.password, await chooserOf(known, input.username, operators), context);
  const typed = { password: input.password, owner: ownerOfLinks };
  const passwordHash = await hashOperatorPassword(typed, context);
  const id = await operators.write(undefined, async (writer) => {
    const link = await findLink(writer, tokenHash, parts.now());
    if (link === undefined || !(await writer.takeLink(tokenHash))) throw refuse(1607, notValid);
    const chosen = { username: input.username, passwordHash };
    return link.operatorId === undefined
      ? accept(link, chosen, writer, context)
      : reset(link.operatorId, chosen, writer, context);
  });
  await parts.sessions.endAll(id);
  const operator = await operators.find(id);
  const token = operator && (await parts.sessions.begin({ ...operator, passwordHash }, context));
  if (operator === undefined || token === undefined) throw refuse(1607, notValid);
  context.setCookie({ token, username: operator.username });
  return presentSession(operator, context);
};

/** Returns the operator who will have the link's password. One who is being invited has only a name yet. */
async function chooserOf(
  link: OperatorLink,
  username: string | undefined,
  operators: OperatorReader,
): Promise<OperatorAccess & { readonly username: string }> {
  const known = link.operatorId === undefined ? undefined : await operators.find(link.operatorId);
  return known ?? { ...link, username: username ?? '' };
}

type LinkContext = ConsoleContext<ConsoleOperations['useLink']>;

/** The choices of the person who opened the link. */
interface Chosen {
  readonly username: string | undefined;
  readonly passwordHash: string;
}

async function accept(
  { role, allTenants, tenantIds }: OperatorLink,
  { username, passwordHash }: Chosen,
  writer: OperatorWriter,
  { refuse, requestId }: LinkContext,
) {
  if (username === undefined) throw refuse(1609, 'username must be given: the link creates a new operator');
  const problem = invisibleInOperatorName(username);
  if (problem !== undefined) throw new ApiError(1001, problem);
  const twin = await findOperatorTwin(writer, username);
  if (twin !== undefined)
    throw refuse(1609, { key: 'operatorLooksTaken', values: { name: JSON.stringify(twin) } });
  const id = await writer.insert({ username, passwordHash, role, allTenants, tenantIds });
  if (id === undefined)
    throw refuse(1609, `an operator ${JSON.stringify(username)} already exists; choose another username`);
  const changes = { username, role, all_tenants: allTenants, tenant_ids: tenantIds.map(String) };
  return { result: id, event: { operatorId: id, requestId, operation: 'create-operator', changes } };
}

/** A reset ends all sessions and turns the second factor off, because its device may be lost. */
async function reset(
  id: bigint,
  { passwordHash }: Chosen,
  writer: OperatorWriter,
  { parts, requestId, refuse }: LinkContext,
) {
  const operator = await writer.find(id);
  if (operator?.status !== 'active') throw refuse(1607, { key: 'linkOfDisabled', values: {} });
  await writer.update(id, {
    passwordHash,
    totpSealed: null,
    totpPending: null,
    recoveryHashes: [],
    sessionsFromMs: parts.now(),
  });
  const changes: AuditWords = { password: 'changed', second_factor: 'off' };
  return { result: id, event: { operatorId: id, requestId, operation: 'reset-operator', changes } };
}
