import type { ListKind, ListRow } from '@fieldroster/tables';
import type { RowOutcome } from '../import-job.ts';
import type { Entry } from './list-entries.ts';

interface Known {
  /** What the directory has, by code or id. */
  readonly entries: ReadonlyMap<string, Entry>;
  /** What the file brings. */
  readonly planned: ReadonlySet<string>;
}

/** Returns what a row changes. */
export function compareRow(kind: ListKind, row: ListRow, { entries, planned }: Known): RowOutcome {
  const { line, label, values = {}, problem } = row;
  const { parent_id = '0' } = values;
  const parent = String(parent_id);
  if (problem !== undefined) return failed(row, problem);
  if (kind === 'orgs' && parent !== '0' && !entries.has(parent) && !planned.has(parent))
    return failed(row, `there is no organization ${parent}, neither in the directory nor in the file`);
  const entry = entries.get(row.key);
  const changes = Object.entries(values).flatMap(([field, value]) => {
    const [from, to] = [String(entry?.[field] ?? ''), String(value)];
    return from === to || field === keyOf(kind) ? [] : [{ field, from, to }];
  });
  const outcome = entry === undefined ? 'created' : changes.length > 0 ? 'updated' : 'unchanged';
  return { line, key: label, outcome, message: '', changes, added: [], removed: [] };
}

/** Returns the outcome of a row that cannot be applied. */
export function failed({ line, label }: ListRow, message: string): RowOutcome {
  return { line, key: label, outcome: 'failed', message, changes: [], added: [], removed: [] };
}

function keyOf(kind: ListKind): string {
  return kind === 'stores' ? 'code' : 'id';
}
