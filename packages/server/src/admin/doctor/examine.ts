import type { UnmadeCheck } from '@fieldroster/contract/console';
import { readProcessMemory } from '../../http/body/body-memory.ts';
import { isFileError, openInspection, unopenedInspection } from '../inspect-directory.ts';
import { checkAudit } from './check-audit.ts';
import { checkBackup } from './check-backup.ts';
import { checkBookkeeping } from './check-bookkeeping.ts';
import { checkChangeOrder } from './check-change-order.ts';
import { checkClock } from './check-clock.ts';
import { checkDiskSpace } from './check-disk-space.ts';
import { checkFileModes } from './check-file-modes.ts';
import { checkForeignKeys } from './check-foreign-keys.ts';
import { checkIntegrity } from './check-integrity.ts';
import { checkLocks } from './check-locks.ts';
import { checkOrganizations } from './check-organizations.ts';
import { checkOrphans } from './check-orphans.ts';
import { checkSchema } from './check-schema.ts';
import { checkSecrets } from './check-secrets.ts';
import { checkSettings } from './check-settings.ts';
import { checkSyncLatency } from './check-sync-latency.ts';
import { checkUserSearch } from './check-user-search.ts';
import { describeDamage, describeUnmadeChecks } from './damage.ts';
import type { DoctorCheck, DoctorContext } from './doctor-check.ts';
import {
  advise,
  error,
  type Finding,
  type FindingLevel,
  listChecks,
  type NamedFinding,
  type TranslatedFinding,
  tell,
} from './finding.ts';

/** Every check, in the order of its findings. */
const doctorChecks: readonly DoctorCheck[] = [
  checkLocks,
  checkClock,
  checkDiskSpace,
  checkSyncLatency,
  checkSchema,
  checkFileModes,
  checkSecrets,
  checkSettings,
  checkBackup,
  checkBookkeeping,
  checkOrganizations,
  checkAudit,
  checkIntegrity,
  checkForeignKeys,
  checkChangeOrder,
  checkUserSearch,
  checkOrphans,
];

export interface ExamineOptions
  extends Pick<DoctorContext, 'settings' | 'environment'>,
    Partial<
      Pick<
        DoctorContext,
        'backupFolder' | 'lockWaitMs' | 'environmentWarnings' | 'memory' | 'now' | 'findLastBackup'
      >
    > {
  /** True leaves out the checks that read a large part of the database. */
  readonly quick?: boolean;
  /** Receives each finding as soon as there is one. */
  readonly onFinding?: (finding: NamedFinding) => void;
}

/**
 * Runs the checks one after the other, beside running servers and without changing anything. A database that is damaged
 * or cannot be opened is reported once, with the checks that it prevents; the other checks still run.
 */
export async function examine(options: ExamineOptions): Promise<readonly NamedFinding[]> {
  const { settings, now = Date.now, onFinding = () => {}, quick = false } = options;
  const report = new Report(onFinding);
  const inspection = await openInspection(settings, now).catch((cause: Error) => {
    report.tellOfDatabase(describeUnopened(cause, settings));
    return unopenedInspection(settings);
  });
  try {
    const others = {
      backupFolder: settings.backupTo,
      environmentWarnings: [],
      lockWaitMs,
      memory: readProcessMemory(),
      findLastBackup: () => inspection.lastGoodBackup(),
    };
    await runChecks({ ...others, ...options, inspection, now, quick }, report);
    return report.findings;
  } finally {
    await inspection.close();
  }
}

/** No longer than a person at a screen waits. */
const lockWaitMs = 5_000;

function describeUnopened(cause: Error, { database }: ExamineOptions['settings']): TranslatedFinding {
  const again = 'then run the doctor again';
  const told = tell(cause.message, 'unopened', { reason: cause.message });
  // The message of a file error, or of PostgreSQL, already says what to do.
  if (database || isFileError(cause)) return error(told, advise(again, 'runAgain', {}));
  const running =
    'if its folder was deleted or moved while a server runs on it, do not stop that server: it still has every write; see "A damaged database" in docs/runbook.md';
  return error(told, advise(`name the right database; ${running}; ${again}`, 'nameDatabase', {}));
}

/** Collects the findings, and reports a fault of the database itself once. */
class Report {
  readonly findings: NamedFinding[] = [];
  readonly #onFinding: (finding: NamedFinding) => void;
  #toldOfDatabase = false;

  constructor(onFinding: (finding: NamedFinding) => void) {
    this.#onFinding = onFinding;
  }

  tell(check: string, finding: Finding): void {
    const named = { check, ...finding };
    this.findings.push(named);
    this.#onFinding(named);
  }

  tellOfDatabase(finding: Finding): void {
    if (this.#toldOfDatabase) return;
    this.#toldOfDatabase = true;
    this.tell('database', finding);
  }
}

async function runChecks(context: DoctorContext, report: Report): Promise<void> {
  const { inspection, quick } = context;
  const unmade: UnmadeCheck[] = [];
  const lockedOut: UnmadeCheck[] = [];
  for (const { name, slow, run } of doctorChecks) {
    if (quick && slow === true) continue;
    const before = report.findings.length;
    try {
      for await (const finding of await run(context)) report.tell(name, finding);
    } catch (cause) {
      const said = inspection.damageIn(cause);
      const inPart = report.findings.length > before;
      const unmadeCheck = { name, inPart };
      if (said !== undefined) {
        report.tellOfDatabase(describeDamage(inspection, said));
        unmade.push(unmadeCheck);
      } else if (inspection.isLockedOut(cause)) lockedOut.push(unmadeCheck);
      else report.tell(name, describeFailure(cause as Error));
    }
  }
  if (unmade.length > 0) report.tell('database', describeUnmadeChecks(unmade));
  if (lockedOut.length > 0) report.tell('locks', describeLockedOut(lockedOut));
}

function describeLockedOut(checks: readonly UnmadeCheck[]): TranslatedFinding {
  const message = `because of a lock that stops even reads, these checks could not be made: ${listChecks(checks)}`;
  return error(
    tell(message, 'lockedOut', { checks }),
    advise(
      'run the doctor again; if it finds no session that holds the lock, wait for it to end',
      'waitForLock',
      {},
    ),
  );
}

function describeFailure({ message }: Error): TranslatedFinding {
  return error(
    tell(`the check could not be carried out: ${message}`, 'checkFailed', { reason: message }),
    advise('look at the other findings first, such as missing tables', 'lookAtOthers', {}),
  );
}

const severity: Readonly<Record<FindingLevel, number>> = { ok: 0, note: 0, warning: 1, error: 2 };

/** Returns the exit code of the worst finding: 0 when all is well, 1 for a warning, 2 for an error. */
export function exitCodeOf(findings: readonly NamedFinding[]): number {
  return Math.max(0, ...findings.map(({ level }) => severity[level]));
}
