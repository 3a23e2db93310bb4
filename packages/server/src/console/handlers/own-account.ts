import type { AuditWords } from '@fieldroster/contract';
import type { ConsoleOperations } from '@fieldroster/contract/console';
import { totpLabel } from '../../applications/totp-label.ts';
import type { OperatorChanges, OperatorRecord, OperatorWriter } from '../../database/database.ts';
import type { ConsoleContext, ConsoleHandler, OperatorContext } from '../console-context.ts';
import { ownerOfOperator } from '../owner-of-turns.ts';
import { isBound } from '../sign-in/mandatory-second-factor.ts';
import { hashOperatorPassword } from '../sign-in/operator-password.ts';
import {
  hashRecoveryCode,
  isSameFactor,
  newRecoveryCodes,
  newTotpSecret,
  toPendingFactor,
  totpUri,
} from '../sign-in/second-factor.ts';
import { changeByCode, checkNewFactor, codeNeeded, forgetWrongCodes, wrongNewCode } from './check-codes.ts';
import { confirmPassword, requireSamePassword } from './check-credentials.ts';
import { requireUnguessable } from './require-unguessable.ts';

/** Ends every other session, and begins a new one for this browser. */
export const changePassword: ConsoleHandler<ConsoleOperations['changePassword']> = async (
  { password, new_password },
  context,
) => {
  const { parts, signedIn } = context;
  const { operator } = signedIn;
  await confirmPassword(operator, password, context);
  await requireUnguessable(new_password, operator, context);
  const typed = { password: new_password, owner: ownerOfOperator(operator.id) };
  const passwordHash = await hashOperatorPassword(typed, context);
  // A second factor that was begun with the former password must not outlive it.
  const changes = () => ({ passwordHash, totpPending: null, sessionsFromMs: parts.now() });
  const change = changeOf({ changes, described: { password: 'changed' } }, context);
  const sessionsFromMs = await parts.database.operators.write(context.claim, change);
  await replaceSessions({ ...operator, passwordHash, sessionsFromMs }, context);
  return undefined;
};

export const beginSecondFactor: ConsoleHandler<ConsoleOperations['beginSecondFactor']> = async (
  { password, code },
  context,
) => {
  const { operator } = context.signedIn;
  await confirmPassword(operator, password, context);
  const secret = newTotpSecret();
  const { vault, now } = context.parts;
  const totpPending = vault.seal(totpLabel(operator.id), toPendingFactor(secret, now()));
  await changeFactor(
    { code, changes: () => ({ totpPending }), described: { second_factor: 'asked for' } },
    context,
  );
  await forgetWrongCodes(operator.id, context.parts, 'new');
  return { secret, uri: totpUri(secret, operator.username) };
};

/**
 * The former second factor counts until this succeeds; afterwards only the new one does.
 *
 * Ends every other session, and begins a new one for this browser. Otherwise somebody who signed in with a stolen
 * password would keep a session that never asked for the second factor.
 */
export const confirmSecondFactor: ConsoleHandler<ConsoleOperations['confirmSecondFactor']> = async (
  { code },
  context,
) => {
  const { parts, signedIn, claim, event } = context;
  const { operator } = signedIn;
  const { pending, secret, step } = await checkNewFactor(operator, code, context);
  const sealed = parts.vault.seal(totpLabel(operator.id), secret);
  const recoveryCodes = newRecoveryCodes();
  const sessionsFromMs = await parts.database.operators.write(claim, async (operators) => {
    const { totpPending, totpSealed } = (await operators.find(operator.id)) ?? {};
    if (!isSameFactor(totpPending, pending)) throw wrongNewCode();
    const nowMs = parts.now();
    await operators.update(operator.id, {
      totpSealed: sealed,
      totpPending: null,
      totpStep: step,
      recoveryHashes: recoveryCodes.map(hashRecoveryCode),
      sessionsFromMs: nowMs,
    });
    const described: AuditWords = { second_factor: totpSealed === undefined ? 'on' : 'replaced' };
    return { result: nowMs, event: event(described) };
  });
  await forgetWrongCodes(operator.id, parts, 'both');
  await replaceSessions({ ...operator, totpSealed: sealed, sessionsFromMs }, context);
  return { recovery_codes: recoveryCodes };
};

/**
 * Ends every other session, and begins a new one for this browser: somebody who has an old code may have signed in with
 * another one.
 */
export const makeRecoveryCodes: ConsoleHandler<ConsoleOperations['makeRecoveryCodes']> = async (
  { password, code },
  context,
) => {
  const { parts, signedIn, refuse } = context;
  const { operator } = signedIn;
  await confirmPassword(operator, password, context);
  if (operator.totpSealed === undefined) {
    throw refuse(1623, 'you have no second factor; turn it on to get recovery codes');
  }
  const recoveryCodes = newRecoveryCodes();
  const recoveryHashes = recoveryCodes.map(hashRecoveryCode);
  const changes = () => ({ recoveryHashes, sessionsFromMs: parts.now() });
  const described: AuditWords = { recovery_codes: 'replaced' };
  const sessionsFromMs = await changeFactor({ code, changes, described }, context);
  await replaceSessions({ ...operator, sessionsFromMs }, context);
  return { recovery_codes: recoveryCodes };
};

export const removeSecondFactor: ConsoleHandler<ConsoleOperations['removeSecondFactor']> = async (
  { password, code },
  context,
) => {
  const { parts, signedIn, refuse } = context;
  const { operator } = signedIn;
  if (isBound(operator, parts.deployment.settings.secondFactor)) {
    throw refuse(
      1621,
      'the second factor is mandatory on this server; you can replace it, but not turn it off',
    );
  }
  await confirmPassword(operator, password, context);
  const changes = () => ({ totpSealed: null, totpPending: null, recoveryHashes: [] });
  await changeFactor({ code, changes, described: { second_factor: 'off' } }, context);
  return undefined;
};

type ChangeContext = Pick<OperatorContext, 'parts' | 'signedIn' | 'claim' | 'event'>;

interface AccountChange {
  /** Called inside the transaction. */
  readonly changes: () => OperatorChanges;
  readonly described: AuditWords;
}

/**
 * Returns the work of a transaction that changes the operator's own account, unless the password that confirmed the change
 * was replaced meanwhile. Its result is the time from which sessions count, in Unix milliseconds.
 */
function changeOf({ changes, described }: AccountChange, { signedIn, event }: ChangeContext) {
  const { operator } = signedIn;
  return async (operators: OperatorWriter) => {
    await requireSamePassword(operators, operator);
    const made = changes();
    await operators.update(operator.id, made);
    return { result: made.sessionsFromMs ?? operator.sessionsFromMs, event: event(described) };
  };
}

/**
 * Changes the second factor of an operator who has just given the right password. One that is on must confirm the change
 * by a code: a browser that was left alone may fill in the password by itself.
 *
 * @returns the time from which sessions count, in Unix milliseconds
 * @throws {ApiError} 1603 without a code, 1602 for a wrong one, 1429 after too many
 */
function changeFactor(
  { code = '', ...change }: AccountChange & { readonly code: string | undefined },
  context: ChangeContext,
): Promise<number> {
  const { parts, signedIn, claim } = context;
  const { id, totpSealed } = signedIn.operator;
  const work = changeOf(change, context);
  if (totpSealed !== undefined && code !== '') return changeByCode({ id, code, claim, change: work }, parts);
  return parts.database.operators.write(claim, async (operators) => {
    // It may have been turned on meanwhile.
    if ((await operators.find(id))?.totpSealed !== undefined) throw codeNeeded();
    return work(operators);
  });
}

/**
 * Ends every session of the operator, and begins a new one for this browser.
 *
 * @param changed the operator as the change left it
 */
async function replaceSessions(
  changed: OperatorRecord,
  {
    parts,
    userAgent,
    address,
    setCookie,
  }: Pick<ConsoleContext, 'parts' | 'userAgent' | 'address' | 'setCookie'>,
): Promise<void> {
  await parts.sessions.endAll(changed.id);
  const token = await parts.sessions.begin(changed, { userAgent, address });
  setCookie(token === undefined ? 'clear' : { token });
}
