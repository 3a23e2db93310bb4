import type { Texts } from '../../../i18n/texts.ts';
import type { RowOutcome } from '../job/import-job.ts';
import { countOutcomes } from '../outcomes/count-outcomes.ts';

/** Says whether there is nothing to import, and how many rows are left out. */
export function sayPlan(
  importTexts: Texts['importTexts'],
  rows: readonly Pick<RowOutcome, 'outcome'>[],
): string[] {
  const { created, updated, failed } = countOutcomes(rows);
  const isIdle = created + updated === 0 && failed < rows.length;
  return [
    ...(isIdle ? [failed === 0 ? importTexts.nothingToApply : importTexts.nothingChanges] : []),
    ...(failed > 0 ? [importTexts.wrongStay(failed)] : []),
  ];
}
