import { totpLabel } from '../../applications/totp-label.ts';
import type { OperatorReader, OperatorRecord } from '../../database/database.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { ConsoleContext } from '../console-context.ts';
import { type SayWait, wrongCodesMax } from '../sign-in/code-guesses.ts';
import { matchesOperatorPassword } from '../sign-in/operator-password.ts';
import { hashRecoveryCode, isTotpCode, matchTotp } from '../sign-in/second-factor.ts';

interface Credentials {
  readonly username: string;
  readonly password: string;
  readonly code?: string | undefined;
}

type Needed = Pick<ConsoleContext, 'parts' | 'address' | 'disconnectSignal'>;
type Parts = ConsoleContext['parts'];

/** Operators belong to no tenant; no tenant has this id. */
const noTenant = 0n;

export function wrongCredentials(): ApiError {
  return new ApiError(1602, 'the username, the password or the code is wrong');
}

/**
 * Checks a username, a password and, where the account has one, a second factor. Wrong passwords are counted by account
 * and by address over all processes, and their refusals are delayed. Wrong codes after the right password are counted on
 * their own. Otherwise somebody who knows the password could keep guessing codes, and somebody who does not could make
 * the operator wait.
 *
 * @throws {ApiError} 1602 for a wrong one, 1603 when a code is needed, 1429 after too many failures
 */
export async function checkCredentials(given: Credentials, context: Needed): Promise<OperatorRecord> {
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
  const matched = await parts.guesses.countFailures(guesser, async () =>
    (await matchesOperatorPassword(operator, password, context)) ? operator : undefined,
  );
  if (matched === undefined) throw wrongPassword();
}

/** A second factor whose setup has begun, and the time step of the code that confirms it. */
export interface ConfirmedFactor {
  readonly sealed: Uint8Array;
  readonly step: bigint;
}

/**
 * Checks a code for the second factor that the operator is setting up. A session is enough to try one, so failures are
 * counted: somebody who has stolen a session cannot go on guessing. They count neither as wrong passwords nor as wrong
 * codes at the sign-in, because those would lock the operator out.
 *
 * @throws {ApiError} 1602 for a wrong one, 1429 after too many failures
 */
export async function checkNewFactor(
  { id }: OperatorRecord,
  code: string,
  { parts }: Pick<Needed, 'parts'>,
): Promise<ConfirmedFactor> {
  const { database, codes, vault, now } = parts;
  const sayWait: SayWait = (values) => ({ key: 'manyNewCodes', values });
  const confirmed = await codes.count(newFactorOf(id), sayWait, async () => {
    const { totpPending: sealed } = (await database.operators.find(id)) ?? {};
    const step = sealed && matchTotp(vault.open(totpLabel(id), sealed), code, now());
    return sealed && step !== undefined ? { sealed, step } : undefined;
  });
  if (confirmed === undefined) throw wrongNewCode();
  return confirmed;
}

/** Forgets wrong codes once the operator has confirmed a new second factor, or begins to set one up with the password. */
export async function forgetWrongCodes(id: bigint, { codes }: Parts, which: 'new' | 'both'): Promise<void> {
  await codes.forget(newFactorOf(id));
  if (which === 'both') await codes.forget(factorOf(id));
}

const factorOf = (id: bigint) => `second factor of ${id}`;
const newFactorOf = (id: bigint) => `new second factor of ${id}`;

export function wrongNewCode(): ApiError {
  return new ApiError(1602, "the code is wrong; check that the clock of the authenticator's device is right");
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
  if (!(await matchesOperatorPassword(usable, given.password, context)) || usable === undefined)
    return undefined;
  if (usable.totpSealed === undefined) return usable;
  if (given.code === undefined || given.code === '') {
    throw new ApiError(1603, 'this account asks for the code of its authenticator, or a recovery code');
  }
  if (!(await useSecondFactor(usable, given.code, context))) throw wrongCredentials();
  return usable;
}

/** Uses up a code: no time step and no recovery code is accepted twice, by any process. */
async function useSecondFactor({ id }: OperatorRecord, code: string, { parts }: Needed): Promise<boolean> {
  // Nobody guesses 80 random bits, so a recovery code works even while the codes of the authenticator have to wait.
  if (!isTotpCode(code)) return useRecoveryCode(id, code, parts);
  const sayWait: SayWait = (values) => ({ key: 'manyCodes', values });
  const used = await parts.codes.count(factorOf(id), sayWait, async (wrongInRow) =>
    (await useTotpCode({ id, code, wrongInRow }, parts)) ? true : undefined,
  );
  return used !== undefined;
}

function useRecoveryCode(id: bigint, code: string, { database }: Parts): Promise<boolean> {
  return database.operators.write(undefined, async (operators) => {
    const { totpSealed, recoveryHashes = [] } = (await operators.find(id)) ?? {};
    const hash = hashRecoveryCode(code);
    if (totpSealed === undefined || !recoveryHashes.includes(hash)) return { result: false };
    await operators.update(id, { recoveryHashes: recoveryHashes.filter((other) => other !== hash) });
    const changes = { recovery_codes_left: recoveryHashes.length - 1 };
    return { result: true, event: { operatorId: id, operation: 'use-recovery-code', changes } };
  });
}

interface TotpAttempt {
  readonly id: bigint;
  readonly code: string;
  /** Wrong codes in a row if this one is wrong. */
  readonly wrongInRow: number;
}

function useTotpCode(
  { id, code, wrongInRow }: TotpAttempt,
  { database, vault, now }: Parts,
): Promise<boolean> {
  return database.operators.write(undefined, async (operators) => {
    const { totpSealed, totpStep = 0n } = (await operators.find(id)) ?? {};
    const step = totpSealed && matchTotp(vault.open(totpLabel(id), totpSealed), code, now());
    if (step !== undefined && step > totpStep) {
      await operators.update(id, { totpStep: step });
      return { result: true };
    }
    if (wrongInRow < wrongCodesMax) return { result: false };
    const changes = { wrong_codes_in_row: wrongInRow };
    return { result: false, event: { operatorId: id, operation: 'wrong-codes', changes } };
  });
}
