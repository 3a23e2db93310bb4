import { openInspection } from '../inspect-directory.ts';
import { checkChangeOrder } from './check-change-order.ts';
import { checkClaims } from './check-claims.ts';
import { checkClock } from './check-clock.ts';
import { checkDiskSpace } from './check-disk-space.ts';
import { checkFileModes } from './check-file-modes.ts';
import { checkForeignKeys } from './check-foreign-keys.ts';
import { checkIntegrity } from './check-integrity.ts';
import { checkLastBackup } from './check-last-backup.ts';
import { checkOrgTree } from './check-org-tree.ts';
import { checkOrphans } from './check-orphans.ts';
import { checkSchema } from './check-schema.ts';
import { checkSecrets } from './check-secrets.ts';
import { checkSettings } from './check-settings.ts';
import { checkSyncLatency } from './check-sync-latency.ts';
import { describeDamage, describeUnmadeChecks } from './damage.ts';
import type { DoctorCheck, DoctorContext } from './doctor-check.ts';
import { error, type Finding, type FindingLevel, type NamedFinding } from './finding.ts';

/** Every check, in the order of its findings. */
const doctorChecks: readonly DoctorCheck[] = [
  checkClock,
  checkDiskSpace,
  checkSyncLatency,
  checkSchema,
  checkFileModes,
  checkSecrets,
  checkSettings,
  checkLastBackup,
  checkOrgTree,
  checkClaims,
  checkIntegrity,
  checkForeignKeys,
  checkChangeOrder,
  checkOrphans,
];

export interface ExamineOptions
  extends Pick<DoctorContext, 'settings' | 'environment'>,
    Partial<Pick<DoctorContext, 'backupFolder' | 'environmentWarnings' | 'now' | 'findLastBackup'>> {
  /** True leaves out the checks that read a large part of the database. */
  readonly quick?: boolean;
  /** Receives each finding as soon as there is one. */
  readonly onFinding?: (finding: NamedFinding) => void;
}

/**
 * Runs the checks one after the other, beside running servers and without changing anything. A database that cannot be
 * opened is the only finding; a damaged one is reported once, with the checks that it prevents.
 */
export async function examine(options: ExamineOptions): Promise<readonly NamedFinding[]> {
  const { settings, now = Date.now, onFinding = () => {} } = options;
  const inspection = await openInspection(settings, now).catch((cause: Error) => cause);
  if (inspection instanceof Error) {
    const finding = error(
      inspection.message,
      'name the right database, with the right user and password, or start it; then run the doctor again',
    );
    onFinding({ check: 'database', ...finding });
    return [{ check: 'database', ...finding }];
  }
  try {
    const others = {
      backupFolder: settings.backupTo,
      environmentWarnings: [],
      findLastBackup: () => inspection.lastGoodBackup(),
    };
    return await runChecks({ ...others, ...options, inspection, now }, options.quick === true, onFinding);
  } finally {
    await inspection.close();
  }
}

async function runChecks(
  context: DoctorContext,
  quick: boolean,
  onFinding: (finding: NamedFinding) => void,
): Promise<readonly NamedFinding[]> {
  const findings: NamedFinding[] = [];
  const unmade: string[] = [];
  const report = (check: string, finding: Finding) => {
    findings.push({ check, ...finding });
    onFinding({ check, ...finding });
  };
  for (const { name, slow, run } of doctorChecks) {
    if (quick && slow === true) continue;
    try {
      for (const finding of await run(context)) report(name, finding);
    } catch (cause) {
      const said = context.inspection.damageIn(cause);
      if (said === undefined) report(name, describeFailure(cause as Error));
      else if (unmade.push(name) === 1) report('database', describeDamage(context.inspection, said));
    }
  }
  if (unmade.length > 0) report('database', describeUnmadeChecks(unmade));
  return findings;
}

function describeFailure({ message }: Error): Finding {
  const advice = 'look at the other findings first, such as missing tables';
  return error(`the check could not be carried out: ${message}`, advice);
}

const severity: Readonly<Record<FindingLevel, number>> = { ok: 0, note: 0, warning: 1, error: 2 };

/** Returns the exit code of the worst finding: 0 when all is well, 1 for a warning, 2 for an error. */
export function exitCodeOf(findings: readonly NamedFinding[]): number {
  return Math.max(0, ...findings.map(({ level }) => severity[level]));
}
