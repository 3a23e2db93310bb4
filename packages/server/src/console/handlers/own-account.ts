import type { ConsoleOperations } from '@fieldroster/contract/console';
import { totpLabel } from '../../applications/totp-label.ts';
import type { OperatorChanges, OperatorEvent, OperatorRecord } from '../../database/database.ts';
import type { ConsoleContext, ConsoleHandler } from '../console-context.ts';
import { isBound } from '../sign-in/mandatory-second-factor.ts';
import { hashOperatorPassword } from '../sign-in/operator-password.ts';
import {
  hashRecoveryCode,
  isSameFactor,
  newRecoveryCodes,
  newTotpSecret,
  totpUri,
} from '../sign-in/second-factor.ts';
import {
  checkNewFactor,
  confirmPassword,
  forgetWrongCodes,
  requireSamePassword,
  wrongNewCode,
} from './check-credentials.ts';
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
  const passwordHash = await hashOperatorPassword(new_password, context);
  // A second factor that was begun with the former password must not outlive it.
  const changes = () => ({ passwordHash, totpPending: null, sessionsFromMs: parts.now() });
  await changeOwnAccount(context, changes, { password: 'changed' });
  await replaceSessions({ ...operator, passwordHash }, context);
  return undefined;
};

export const beginSecondFactor: ConsoleHandler<ConsoleOperations['beginSecondFactor']> = async (
  { password },
  context,
) => {
  const { operator } = context.signedIn;
  await confirmPassword(operator, password, context);
  const secret = newTotpSecret();
  const totpPending = context.parts.vault.seal(totpLabel(operator.id), secret);
  await changeOwnAccount(context, () => ({ totpPending }), { second_factor: 'asked for' });
  await forgetWrongCodes(operator.id, context.parts, 'new');
  return { secret, uri: totpUri(secret, operator.username) };
};

/**
 * Ends every other session, and begins a new one for this browser. Otherwise somebody who signed in with a stolen
 * password would keep a session that never asked for the second factor.
 */
export const confirmSecondFactor: ConsoleHandler<ConsoleOperations['confirmSecondFactor']> = async (
  { code },
  context,
) => {
  const { parts, signedIn, claim, event } = context;
  const { operator } = signedIn;
  const { sealed, step } = await checkNewFactor(operator, code, context);
  const recoveryCodes = newRecoveryCodes();
  await parts.database.operators.write(claim, async (operators) => {
    const { totpPending } = (await operators.find(operator.id)) ?? {};
    if (!isSameFactor(totpPending, sealed)) throw wrongNewCode();
    await operators.update(operator.id, {
      totpSealed: sealed,
      totpPending: null,
      totpStep: step,
      recoveryHashes: recoveryCodes.map(hashRecoveryCode),
      sessionsFromMs: parts.now(),
    });
    return { result: undefined, event: event({ second_factor: 'on' }) };
  });
  await forgetWrongCodes(operator.id, parts, 'both');
  await replaceSessions({ ...operator, totpSealed: sealed }, context);
  return { recovery_codes: recoveryCodes };
};

export const removeSecondFactor: ConsoleHandler<ConsoleOperations['removeSecondFactor']> = async (
  { password },
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
  await changeOwnAccount(context, changes, { second_factor: 'off' });
  return undefined;
};

/**
 * Changes the operator's own account, unless the password that confirmed the change was replaced meanwhile.
 *
 * @param changes called inside the transaction
 */
async function changeOwnAccount(
  { parts, signedIn, claim, event }: Pick<ConsoleContext, 'parts' | 'signedIn' | 'claim' | 'event'>,
  changes: () => OperatorChanges,
  described: OperatorEvent['changes'],
): Promise<void> {
  const { operator } = signedIn;
  await parts.database.operators.write(claim, async (operators) => {
    await requireSamePassword(operators, operator);
    await operators.update(operator.id, changes());
    return { result: undefined, event: event(described) };
  });
}

/**
 * Ends every session of the operator, and begins a new one for this browser.
 *
 * @param changed the operator as the change left it
 */
async function replaceSessions(
  changed: OperatorRecord,
  context: Pick<ConsoleContext, 'parts' | 'userAgent' | 'address' | 'setCookie'>,
): Promise<void> {
  const { parts, setCookie } = context;
  await parts.sessions.endAll(changed.id);
  const token = await parts.sessions.begin(changed, context);
  setCookie(token === undefined ? 'clear' : { token });
}
