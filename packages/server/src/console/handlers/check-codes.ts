import type { AuditWords } from '@fieldroster/contract';
import { totpLabel } from '../../applications/totp-label.ts';
import type {
  AcceptanceClaim,
  OperatorEvent,
  OperatorRecord,
  OperatorWriter,
} from '../../database/database.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { ConsoleContext } from '../console-context.ts';
import { type SayWait, wrongCodesMax } from '../sign-in/code-guesses.ts';
import { hashRecoveryCode, isTotpCode, matchTotp, readPendingFactor } from '../sign-in/second-factor.ts';

type Parts = ConsoleContext['parts'];

/** A second factor whose set-up has begun, and the time step of the code that confirms it. */
export interface ConfirmedFactor {
  /** As the database has it during the set-up. */
  readonly pending: Uint8Array;
  readonly secret: string;
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
  { parts }: Pick<ConsoleContext, 'parts'>,
): Promise<ConfirmedFactor> {
  const { database, codes, vault, now } = parts;
  const sayWait: SayWait = (values) => ({ key: 'manyNewCodes', values });
  const confirmed = await codes.count(newFactorOf(id), sayWait, async () => {
    const { totpPending: pending } = (await database.operators.find(id)) ?? {};
    if (pending === undefined) return undefined;
    const secret = readPendingFactor(vault.open(totpLabel(id), pending), now());
    if (secret === undefined) return undefined;
    const step = matchTotp(secret, code, now());
    return step === undefined ? undefined : { pending, secret, step };
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
  return new ApiError(
    1602,
    "the code is wrong, or the set-up began more than an hour ago; check the clock of the authenticator's device, or begin again",
  );
}

export function codeNeeded(): ApiError {
  return new ApiError(1603, 'this account asks for a code from its authenticator, or a recovery code');
}

function wrongCode(): ApiError {
  return new ApiError(1602, 'the code is wrong or was used before; wait for the next one');
}

/** The recovery codes that are left after a right code. */
type UsedCode = Pick<OperatorRecord, 'recoveryHashes'>;

/** Uses up a code of somebody who signs in with the right password. Returns `undefined` for a wrong one. */
export function signInByCode(id: bigint, code: string, parts: Parts): Promise<UsedCode | undefined> {
  return countCode(id, code, parts, (wrongInRow) =>
    parts.database.operators.write(undefined, async (operators) => {
      const used = await takeCode(operators, id, code, parts);
      if (used === undefined) return { result: undefined, ...wrongCodesOf(id, wrongInRow) };
      if (isTotpCode(code)) return { result: used };
      const changes = { recovery_codes_left: used.recoveryHashes.length };
      return { result: used, event: { operatorId: id, operation: 'use-recovery-code', changes } };
    }),
  );
}

/** The work of a transaction. */
type Change<T> = (
  operators: OperatorWriter,
) => Promise<{ readonly result: T; readonly event: OperatorEvent }>;

interface ConfirmedChange<T> {
  readonly id: bigint;
  readonly code: string;
  readonly claim: AcceptanceClaim | undefined;
  /** Runs once the code is right, in the transaction that uses it up. */
  readonly change: Change<T>;
}

/**
 * Makes a change that a code confirms, for an operator who has just given the right password. Wrong codes count like those
 * at the sign-in, so that nobody can go on guessing here. A wrong code keeps no claim: the change can be tried again.
 *
 * @throws {ApiError} 1602 for a wrong code, 1429 after too many
 */
export async function changeByCode<T>(
  { id, code, claim, change }: ConfirmedChange<T>,
  parts: Parts,
): Promise<T> {
  const { operators } = parts.database;
  const wrong = wrongCode();
  const made = await countCode(id, code, parts, async (wrongInRow) => {
    try {
      return { result: await operators.write(claim, (writer) => takeAndChange(writer)) };
    } catch (error) {
      if (error !== wrong) throw error;
      const noted = wrongCodesOf(id, wrongInRow);
      if (noted.event !== undefined)
        await operators.write(undefined, async () => ({ result: undefined, ...noted }));
      return undefined;
    }
  });
  if (made === undefined) throw wrong;
  return made.result;

  async function takeAndChange(writer: OperatorWriter) {
    if ((await takeCode(writer, id, code, parts)) === undefined) throw wrong;
    const { result, event } = await change(writer);
    if (isTotpCode(code)) return { result, event };
    const confirmed: AuditWords = { confirmed_by: 'recovery code' };
    const changes = { ...event.changes, ...confirmed };
    return { result, event: { ...event, changes } };
  }
}

/** Nobody guesses 80 random bits, so a recovery code works even while the codes of the authenticator have to wait. */
function countCode<T>(
  id: bigint,
  code: string,
  { codes }: Parts,
  check: (wrongInRow: number) => Promise<T | undefined>,
): Promise<T | undefined> {
  const sayWait: SayWait = (values) => ({ key: 'manyCodes', values });
  return isTotpCode(code) ? codes.count(factorOf(id), sayWait, check) : check(0);
}

/** Uses up a code: no time step and no recovery code is accepted twice, by any process. */
async function takeCode(
  operators: OperatorWriter,
  id: bigint,
  code: string,
  { vault, now }: Parts,
): Promise<UsedCode | undefined> {
  const { totpSealed, totpStep = 0n, recoveryHashes = [] } = (await operators.find(id)) ?? {};
  if (totpSealed === undefined) return undefined;
  if (isTotpCode(code)) {
    const step = matchTotp(vault.open(totpLabel(id), totpSealed), code, now());
    if (step === undefined || step <= totpStep) return undefined;
    await operators.update(id, { totpStep: step });
    return { recoveryHashes };
  }
  const hash = hashRecoveryCode(code);
  if (!recoveryHashes.includes(hash)) return undefined;
  const left = recoveryHashes.filter((other) => other !== hash);
  await operators.update(id, { recoveryHashes: left });
  return { recoveryHashes: left };
}

/** The trail of operators has each wrong code from the tenth in a row on. */
function wrongCodesOf(id: bigint, wrongInRow: number): { readonly event?: OperatorEvent } {
  if (wrongInRow < wrongCodesMax) return {};
  return { event: { operatorId: id, operation: 'wrong-codes', changes: { wrong_codes_in_row: wrongInRow } } };
}
