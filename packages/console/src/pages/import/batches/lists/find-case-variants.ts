import type { ListRow } from '@fieldroster/tables';
import type { CaseVariant } from '../../job/import-job.ts';

/**
 * Finds new stores whose code differs from another one in upper and lower case only, by their codes. The directory
 * allows that, but mostly somebody has mistyped the code of the other store.
 *
 * @param known the codes of the directory
 */
export function findCaseVariants(
  rows: readonly ListRow[],
  known: Iterable<string>,
): ReadonlyMap<string, CaseVariant> {
  const codes = new Set(known);
  const first = new Map<string, CaseVariant>();
  for (const code of codes) first.set(code.toLowerCase(), { code });
  const variants = new Map<string, CaseVariant>();
  for (const { key, line, problem } of rows) {
    if (problem !== undefined || codes.has(key)) continue;
    const folded = key.toLowerCase();
    const other = first.get(folded);
    if (other === undefined) first.set(folded, { code: key, line });
    else variants.set(key, other);
  }
  return variants;
}
