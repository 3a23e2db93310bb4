import type { ConsoleOperations } from '@fieldroster/contract/console';
import type { ConsoleHandler } from '../console-context.ts';
import { checkCredentials, wrongCredentials } from './check-credentials.ts';
import { presentSession } from './present-session.ts';

export const signIn: ConsoleHandler<ConsoleOperations['signIn']> = async (input, context) => {
  const operator = await checkCredentials(input, context);
  const token = await context.parts.sessions.begin(operator);
  if (token === undefined) throw wrongCredentials();
  context.setCookie({ token });
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
