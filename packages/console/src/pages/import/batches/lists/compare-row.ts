import { type Problem, problemInEnglish } from '@fieldroster/contract/problems';
import type { ListKind, ListRow } from '@fieldroster/tables';
import type { CaseVariant, RowOutcome } from '../../job/import-job.ts';
import type { WrongRow } from '../../outcomes/say-row-problems.ts';
import type { Entry } from './list-entries.ts';

interface Known {
  /** The entries of the directory, by code or id. */
  readonly entries: ReadonlyMap<string, Entry>;
  /** The codes or ids of the file's rows without a problem. */
  readonly planned: ReadonlySet<string>;
  /** The new stores whose code differs from another one in case only. */
  readonly variants: ReadonlyMap<string, CaseVariant>;
}

/** Returns what a row changes. */
export function compareRow(kind: ListKind, row: ListRow, { entries, planned, variants }: Known): RowOutcome {
  const { line, label, values = {}, problem, faults } = row;
  const { parent_id = '0' } = values;
  const parent = String(parent_id);
  if (problem !== undefined) return failed(row, { message: problem, problems: faults });
  if (kind === 'orgs' && parent !== '0' && !entries.has(parent) && !planned.has(parent)) {
    const missing: Problem = { key: 'noParent', values: { id: parent } };
    return failed(row, { message: problemInEnglish(missing), problems: [missing] });
  }
  const entry = entries.get(row.key);
  const changes = Object.entries(values).flatMap(([field, value]) => {
    const [from, to] = [String(entry?.[field] ?? ''), String(value)];
    return from === to || field === keyOf(kind) ? [] : [{ field, from, to }];
  });
  const outcome = entry === undefined ? 'created' : changes.length > 0 ? 'updated' : 'unchanged';
  const variant = variants.get(row.key);
  return {
    line,
    key: label,
    ...(variant && { caseVariant: variant }),
    outcome,
    message: '',
    changes,
    added: [],
    removed: [],
  };
}

/** Returns the outcome of a row that cannot be applied. */
export function failed({ line, label, name }: ListRow, { message, problems }: WrongRow): RowOutcome {
  const why = { message, ...(problems && { problems }) };
  const named = name === undefined ? {} : { name };
  return { line, key: label, ...named, outcome: 'failed', ...why, changes: [], added: [], removed: [] };
}

function keyOf(kind: ListKind): string {
  return kind === 'stores' ? 'code' : 'id';
}
