import { type ConsoleOperations, consoleOperations } from '@fieldroster/contract/console';
import type {
  OperatorAccess,
  OperatorEvent,
  OperatorLink,
  OperatorRecord,
  OperatorWriter,
} from '../../database/database.ts';
import type { ConsoleContext, ConsoleHandler, OperatorContext } from '../console-context.ts';
import { type Demand, noSession, noSuchTenant, requireOperatorRole } from '../require-access.ts';
import { describeAccess, describeLink, newLink } from '../sign-in/operator-links.ts';
import { confirmPassword, requireSamePassword } from './check-credentials.ts';

export const listOperators: ConsoleHandler<ConsoleOperations['listOperators']> = async (
  _input,
  { parts },
) => {
  const { operators } = parts.database;
  const { operatorSessions } = parts.database.bookkeeping;
  const [all, lastSeen, links] = await Promise.all([
    operators.list(),
    operatorSessions.lastSeen(),
    operators.listLinks(),
  ]);
  const byId = new Map(all.map((operator) => [operator.id, operator]));
  return {
    operators: all.map((operator) => {
      const seenAtMs = lastSeen.get(operator.id);
      return {
        id: operator.id,
        username: operator.username,
        role: operator.role,
        all_tenants: operator.allTenants,
        tenant_ids: [...operator.tenantIds],
        status: operator.status,
        second_factor: operator.totpSealed !== undefined,
        created_at: BigInt(operator.createdAtMs),
        ...(seenAtMs !== undefined && { last_seen_at: BigInt(seenAtMs) }),
      };
    }),
    open_links: links.map((link) => presentLink(link, byId)),
  };
};

/** Nobody can open a link with its id: that takes the token, and the id is only the hash of it. */
function presentLink(
  { tokenHash, operatorId, madeBy, expiresAtMs, ...invited }: OperatorLink,
  operators: ReadonlyMap<bigint, OperatorAccess>,
) {
  const reset = operatorId === undefined ? undefined : operators.get(operatorId);
  const { role, allTenants, tenantIds } = reset ?? invited;
  return {
    id: tokenHash,
    ...(operatorId !== undefined && { operator_id: operatorId }),
    role,
    all_tenants: allTenants,
    tenant_ids: [...tenantIds],
    ...(madeBy !== undefined && { made_by: madeBy }),
    expires_at: BigInt(expiresAtMs),
  };
}

export const inviteOperator: ConsoleHandler<ConsoleOperations['inviteOperator']> = async (input, context) => {
  const { parts, event, signedIn } = context;
  await confirmPassword(signedIn.operator, input.password, context);
  const access = await accessOf(input, context);
  const { token, link } = newLink({ ...access, madeBy: signedIn.operator.id }, parts.now());
  await storeLink(link, consoleOperations.inviteOperator, context, event(describeAccess(access)));
  return { token, expires_at: BigInt(link.expiresAtMs) };
};

export const resetOperator: ConsoleHandler<ConsoleOperations['resetOperator']> = async (
  { id, password },
  context,
) => {
  const { parts, event, refuse, signedIn } = context;
  await confirmPassword(signedIn.operator, password, context);
  // A session and a password that a browser fills in must not be enough to turn the second factor off.
  if (id === signedIn.operator.id)
    throw refuse(
      1624,
      'you cannot make a reset link for yourself; change your password or replace the second factor in the settings, or ask another owner for a link',
    );
  const operator = await parts.database.operators.find(id);
  if (operator === undefined) throw refuse(1608, `there is no operator ${id}`);
  const request = { ...operator, operatorId: id, madeBy: signedIn.operator.id };
  const { token, link } = newLink(request, parts.now());
  const made = event({ operator_id: String(id), username: operator.username });
  await storeLink(link, consoleOperations.resetOperator, context, made);
  return { token, expires_at: BigInt(link.expiresAtMs) };
};

export const withdrawLink: ConsoleHandler<ConsoleOperations['withdrawLink']> = async (
  { id, password },
  context,
) => {
  const { parts, claim, event, refuse, signedIn } = context;
  await confirmPassword(signedIn.operator, password, context);
  await parts.database.operators.write(claim, async (operators) => {
    await requireStillAllowed(operators, consoleOperations.withdrawLink, signedIn.operator);
    const link = await operators.findLink(id);
    // Using a link takes it in the same way, so only one of the two gets it.
    if (link === undefined || !(await operators.takeLink(id)))
      throw refuse(1622, 'there is no such open link; it was used or withdrawn, or has expired');
    return { result: undefined, event: event(await describeLink(link, operators)) };
  });
  return undefined;
};

/** Stores a link. A change that takes the right to make it from its maker ends the links made before. */
async function storeLink(
  link: OperatorLink,
  demand: Demand,
  { parts, claim, signedIn }: Pick<OperatorContext, 'parts' | 'claim' | 'signedIn'>,
  event: OperatorEvent,
): Promise<void> {
  await parts.database.operators.write(claim, async (operators) => {
    await requireStillAllowed(operators, demand, signedIn.operator);
    await operators.insertLink(link);
    return { result: undefined, event };
  });
}

/** Refuses a change, in its transaction, if its operator lost the right to it while the password was checked. */
async function requireStillAllowed(
  operators: Pick<OperatorWriter, 'find'>,
  demand: Demand,
  operator: OperatorRecord,
): Promise<void> {
  const current = await operators.find(operator.id);
  if (current?.status !== 'active') throw noSession();
  requireOperatorRole(demand, current);
  await requireSamePassword(operators, operator);
}

export const updateOperator: ConsoleHandler<ConsoleOperations['updateOperator']> = async (input, context) => {
  const { parts, claim, event, refuse, signedIn } = context;
  await confirmPassword(signedIn.operator, input.password, context);
  const tenantIds = input.tenant_ids && (await requireTenants(input.tenant_ids, context));
  await parts.database.operators.write(claim, async (operators) => {
    await requireStillAllowed(operators, consoleOperations.updateOperator, signedIn.operator);
    const before = await operators.find(input.id);
    if (before === undefined) throw refuse(1608, `there is no operator ${input.id}`);
    const allTenants = input.all_tenants ?? before.allTenants;
    const after = {
      role: input.role ?? before.role,
      allTenants,
      tenantIds: allTenants ? [] : (tenantIds ?? before.tenantIds),
      status: input.status ?? before.status,
    };
    if (
      !isFullOwner({ ...before, ...after }) &&
      isFullOwner(before) &&
      (await isLastOwner(operators, before))
    )
      throw refuse(
        1612,
        `${before.username} is the last active owner of all tenants; make another operator an owner of all tenants first`,
      );
    const ended = after.status === 'disabled' && { sessionsFromMs: parts.now() };
    await operators.update(before.id, { ...after, ...ended });
    const changes = {
      operator_id: String(before.id),
      username: before.username,
      before: describe(before),
      after: describe(after),
    };
    return { result: undefined, event: event(changes) };
  });
  if (input.status === 'disabled') await parts.sessions.endAll(input.id);
  return undefined;
};

function isFullOwner({ role, allTenants, status }: OperatorAccess & Pick<OperatorRecord, 'status'>): boolean {
  return role === 'owner' && allTenants && status === 'active';
}

async function isLastOwner(operators: OperatorWriter, { id }: OperatorRecord): Promise<boolean> {
  return !(await operators.list()).some((other) => other.id !== id && isFullOwner(other));
}

type Given = { role: OperatorAccess['role']; all_tenants: boolean; tenant_ids: readonly bigint[] };

async function accessOf(
  { role, all_tenants, tenant_ids }: Given,
  context: Pick<ConsoleContext, 'parts'>,
): Promise<OperatorAccess> {
  const tenantIds = all_tenants ? [] : await requireTenants(tenant_ids, context);
  return { role, allTenants: all_tenants, tenantIds };
}

async function requireTenants(
  ids: readonly bigint[],
  { parts }: Pick<ConsoleContext, 'parts'>,
): Promise<bigint[]> {
  const known = new Set((await parts.database.tenants.listTenants()).map(({ id }) => id));
  if (ids.some((id) => !known.has(id))) throw noSuchTenant();
  return [...new Set(ids)];
}

function describe(operator: OperatorAccess & Pick<OperatorRecord, 'status'>) {
  return { ...describeAccess(operator), status: operator.status };
}
