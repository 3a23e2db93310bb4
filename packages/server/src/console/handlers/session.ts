import type { ConsoleOperations } from '@fieldroster/contract/console';
import type { SessionEnd } from '../../database/database.ts';
import type { ConsoleContext, ConsoleHandler } from '../console-context.ts';
import { confirmPassword, signInByPassword } from './check-credentials.ts';
import { presentSession } from './present-session.ts';

export const signIn: ConsoleHandler<ConsoleOperations['signIn']> = async (input, context) => {
  const { operator, token } = await signInByPassword(input, context, (checked) =>
    context.parts.sessions.begin(checked, context),
  );
  context.setCookie({ token, username: operator.username });
  return presentSession(operator, context);
};

export const querySession: ConsoleHandler<ConsoleOperations['querySession']> = (_input, context) =>
  presentSession(context.signedIn.operator, context);

export const signOut: ConsoleHandler<ConsoleOperations['signOut']> = async (_input, context) => {
  await context.parts.sessions.end(context.signedIn.session);
  context.setCookie('clear');
  return undefined;
};

export const signOutEverywhere: ConsoleHandler<ConsoleOperations['signOutEverywhere']> = async (
  _input,
  context,
) => {
  const { parts, signedIn, claim, event, setCookie } = context;
  const { id } = signedIn.operator;
  await parts.database.operators.write(claim, async (operators) => {
    await operators.update(id, { sessionsFromMs: parts.now() + 1 });
    return { result: undefined, event: event({ operator_id: String(id) }) };
  });
  await parts.sessions.endAll(id);
  setCookie('clear');
  return undefined;
};

export const listSessions: ConsoleHandler<ConsoleOperations['listSessions']> = async (
  _input,
  { parts, signedIn },
) => {
  const sessions = await parts.sessions.list(signedIn.operator);
  return {
    sessions: sessions.map(({ tokenHash, userAgent, address, createdAtMs, seenAtMs }) => ({
      id: tokenHash,
      current: tokenHash === signedIn.session.tokenHash,
      ...(userAgent !== undefined && { user_agent: userAgent }),
      ...(address !== undefined && { address }),
      created_at: BigInt(createdAtMs),
      last_seen_at: BigInt(seenAtMs),
    })),
  };
};

export const endSession: ConsoleHandler<ConsoleOperations['endSession']> = async (
  { id, password },
  context,
) => {
  const { parts, signedIn, claim, refuse, setCookie } = context;
  await confirmPassword(signedIn.operator, password, context);
  const session = (await parts.sessions.list(signedIn.operator)).find(({ tokenHash }) => tokenHash === id);
  const end = endOf(context);
  const hasEnded = session !== undefined && (await parts.sessions.endForAudit(session, end));
  if (hasEnded) {
    await parts.sessions.recordEnd(end, claim);
  } else {
    // Makes the claim first, so that a copy of a request that has ended the session gets 1015 instead.
    await parts.database.operators.write(claim, () => {
      throw refuse(1619, 'you have no such session; it may have ended already');
    });
  }
  if (id === signedIn.session.tokenHash) setCookie('clear');
  return undefined;
};

export const endOtherSessions: ConsoleHandler<ConsoleOperations['endOtherSessions']> = async (
  { password },
  context,
) => {
  const { parts, signedIn, claim } = context;
  await confirmPassword(signedIn.operator, password, context);
  const end = endOf(context);
  await parts.sessions.endOthersForAudit(signedIn.session, end);
  await parts.sessions.recordEnd(end, claim);
  return undefined;
};

/**
 * Returns what the audit will say of the call. The sessions end before it is written, because the audit must not report
 * an end that did not happen.
 */
function endOf({ parts, event }: Pick<ConsoleContext, 'parts' | 'event'>): SessionEnd {
  const { operatorId, requestId, operation } = event({});
  if (operatorId === undefined || requestId === undefined) throw new TypeError('a visitor has no sessions');
  return { operatorId, requestId, operation, atMs: parts.now() };
}
