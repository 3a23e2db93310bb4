import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ConsoleData, ConsoleOperations } from '@fieldroster/contract/console';
import type { Problem } from '@fieldroster/contract/problems';
import type { GoodBackup, KeyHolders, OperatorReader } from '../../database/database.ts';
import type { ApiError } from '../../errors/api-error.ts';
import {
  toVerificationState,
  type VerificationState,
  verificationOperation,
} from '../backup-verification.ts';
import type { ConsoleHandler } from '../console-context.ts';
import type { Deployment } from '../deployment.ts';

export const queryDeployment: ConsoleHandler<ConsoleOperations['queryDeployment']> = async (
  _input,
  { parts },
) => {
  const { settings } = parts.deployment;
  const { backups, operators, keys } = parts.database;
  const [last, processes] = await Promise.all([backups.lastGood(), keys.holders()]);
  const verification = await lastVerification(operators, { nowMs: parts.now(), processes });
  return {
    release: parts.release,
    engine: settings.database === '' ? 'sqlite' : 'postgres',
    audit_days: settings.auditKeepDays,
    calls_days: settings.callsKeepDays,
    failed_calls_days: parts.deployment.failedCallsKeepDays,
    ...presentSchedule(settings, last),
    ...(last !== undefined && { last_backup: { at: BigInt(last.atMs), file: last.file, bytes: last.bytes } }),
    ...(verification !== undefined && { verification: presentVerification(verification) }),
  };
};

function presentSchedule(
  { backupEveryMs, backupTo, backupKeep }: Deployment['settings'],
  last: GoodBackup | undefined,
): Partial<ConsoleData<ConsoleOperations['queryDeployment']>> {
  if (backupEveryMs === 0) return {};
  return {
    backup_every_ms: backupEveryMs,
    backup_folder: backupTo,
    backups_kept: backupKeep,
    ...(last !== undefined && { next_backup_at: BigInt(last.atMs + backupEveryMs) }),
  };
}

function presentVerification({ state, atMs, file, problem }: VerificationState) {
  return { state, at: BigInt(atMs), file, ...(problem !== undefined && { problem }) };
}

async function lastVerification(
  operators: Pick<OperatorReader, 'lastEvent'>,
  seen: { readonly nowMs: number; readonly processes: KeyHolders },
): Promise<VerificationState | undefined> {
  const event = await operators.lastEvent(verificationOperation);
  return event && toVerificationState(event, seen);
}

export const examineDeployment: ConsoleHandler<ConsoleOperations['examineDeployment']> = async (
  _input,
  context,
) => {
  const { examine } = context.parts.deployment;
  if (examine === undefined) throw noCommands(context);
  return { findings: [...(await examine())] };
};

export const verifyBackup: ConsoleHandler<ConsoleOperations['verifyBackup']> = async (_input, context) => {
  const { parts, claim, event, refuse } = context;
  const { verification } = parts.deployment;
  if (verification === undefined) throw noCommands(context);
  const backup = await parts.database.backups.lastGood();
  if (backup === undefined) throw refuse(1617, { key: 'noBackup', values: {} });
  const refusal = await unreachableFolder(backup);
  const processes = await parts.database.keys.holders();
  const begun = event(verification.toBeginning(backup));
  // Look for a running verification within the transaction, so that one of two simultaneous calls, on any node, is
  // refused.
  await parts.database.operators.write(claim, async (operators) => {
    if (refusal !== undefined) throw refuse(1617, refusal);
    const before = await lastVerification(operators, { nowMs: parts.now(), processes });
    if (before?.state === 'running') throw refuse(1617, { key: 'verifying', values: { file: before.file } });
    return { result: undefined, event: begun };
  });
  verification.begin(backup, begun);
  return undefined;
};

/**
 * Returns why a backup cannot be read here, if so: one that another container or unit made is in a folder that only that
 * one may have. A repeated call may come to another node, so the claim is looked at before this refuses anything.
 */
async function unreachableFolder({ file }: GoodBackup): Promise<Problem | undefined> {
  const folder = dirname(file);
  const isHere = await stat(folder).then(
    () => true,
    () => false,
  );
  return isHere ? undefined : { key: 'backupElsewhere', values: { folder, file } };
}

function noCommands({ refuse }: { readonly refuse: (code: 1618, message: string) => ApiError }): ApiError {
  return refuse(1618, 'this server runs inside another program; use fieldroster doctor in a shell');
}
