import type { OperatorReader, OperatorRecord } from '../../database/database.ts';
import { ApiError } from '../../errors/api-error.ts';
import { FailedCall } from '../../pipeline/failures/failed-call.ts';
import type { ConsoleContext } from '../console-context.ts';
import { ownerOfOperator, ownerOfVisitor } from '../owner-of-turns.ts';
import { matchesOperatorPassword } from '../sign-in/operator-password.ts';
import { codeNeeded, signInByCode } from './check-codes.ts';

interface Credentials {
  readonly username: string;
  readonly password: string;
  readonly code?: string | undefined;
}

type Needed = Pick<ConsoleContext, 'parts' | 'address' | 'disconnectSignal'>;

/** Operators belong to no tenant; no tenant has this id. */
const noTenant = 0n;

function wrongCredentials(): ApiError {
  return new ApiError(1602, 'the username, the password or the code is wrong');
}

/**
 * Signs somebody in by a username and a password. The log line of a failure has a keyed hash of the username.
 *
 * @param begin returns the token of the new session, or `undefined` if the password was replaced meanwhile
 * @throws {FailedCall}
 */
export async function signInByPassword(
  given: Credentials,
  context: Needed,
  begin: (operator: OperatorRecord) => Promise<string | undefined>,
): Promise<{ readonly operator: OperatorRecord; readonly token: string }> {
  try {
    const operator = await checkCredentials(given, context);
    const token = await begin(operator);
    if (token === undefined) throw wrongCredentials();
    return { operator, token };
  } catch (thrown) {
    const usernameHash = context.parts.guesses.hashOf({ tenantId: noTenant, username: given.username });
    throw new FailedCall(thrown, { usernameHash });
  }
}

/**
 * Checks a username, a password and, where the account has one, a second factor. Wrong passwords are counted by account
 * and by address over all processes, and their refusals are delayed. Wrong codes after the right password are counted on
 * their own. Otherwise somebody who knows the password could keep guessing codes, and somebody who does not could make
 * the operator wait.
 *
 * @throws {ApiError} 1602 for a wrong one, 1603 when a code is needed, 1429 after too many failures
 */
async function checkCredentials(given: Credentials, context: Needed): Promise<OperatorRecord> {
  const { parts, address, disconnectSignal } = context;
  const guesser = {
    tenantId: noTenant,
    appId: `the address ${address ?? 'behind the proxy'}`,
    username: given.username,
    signal: disconnectSignal(),
  };
  const operator = await parts.guesses.countFailures(guesser, () => match(given, context));
  if (operator === undefined) throw wrongCredentials();
  return operator;
}

/** Confirms that the person at a signed-in browser knows the password. */
export async function confirmPassword(
  operator: OperatorRecord,
  password: string,
  context: Needed,
): Promise<void> {
  const { parts, disconnectSignal } = context;
  const guesser = {
    tenantId: noTenant,
    appId: 'console',
    username: operator.username,
    signal: disconnectSignal(),
  };
  const typed = { password, owner: ownerOfOperator(operator.id) };
  const matched = await parts.guesses.countFailures(guesser, async () =>
    (await matchesOperatorPassword(operator, typed, context)) ? operator : undefined,
  );
  if (matched === undefined) throw wrongPassword();
}

/**
 * Refuses a change, in its transaction, if the password that confirmed it was replaced meanwhile.
 *
 * @throws {ApiError} 1602
 */
export async function requireSamePassword(
  operators: Pick<OperatorReader, 'find'>,
  { id, passwordHash }: OperatorRecord,
): Promise<void> {
  if ((await operators.find(id))?.passwordHash !== passwordHash) throw wrongPassword();
}

function wrongPassword(): ApiError {
  return new ApiError(1602, 'the password is wrong');
}

async function match(given: Credentials, context: Needed): Promise<OperatorRecord | undefined> {
  const operator = await context.parts.database.operators.findByUsername(given.username);
  const usable = operator?.status === 'active' ? operator : undefined;
  const typed = { password: given.password, owner: ownerOfVisitor(context.address) };
  if (!(await matchesOperatorPassword(usable, typed, context)) || usable === undefined) return undefined;
  if (usable.totpSealed === undefined) return usable;
  if (given.code === undefined || given.code === '') {
    throw codeNeeded();
  }
  const used = await signInByCode(usable.id, given.code, context.parts);
  if (used === undefined) throw wrongCredentials();
  return { ...usable, recoveryHashes: used.recoveryHashes };
}
