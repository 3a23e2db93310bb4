import { type ResolvedNames, targetFields } from '@fieldroster/tables';
import { printable } from '../output/print.ts';
import type { RowResult } from './send-batch.ts';

const marks = { created: '+', updated: '~', unchanged: '=', applied: '~', failed: '!' } as const;

/** The name of a role or the path of an organization, by its field and id. */
export type TargetLabels = ReadonlyMap<string, string>;

/** Returns the names of the roles and organizations that a file names. */
export function labelTargets(names: ResolvedNames): TargetLabels {
  return new Map(
    targetFields.flatMap((field) =>
      [...names[field].values()].flatMap(({ found }) =>
        found.map(({ id, path }) => [`${field} ${id}`, path] as const),
      ),
    ),
  );
}

/** Describes what would happen to a user: one line, plus one for each change. */
export function describeChanges(result: RowResult, labels: TargetLabels): string {
  const { line, username, outcome, code, message, answer } = result;
  const name = username || '(no username)';
  if (outcome === 'failed') {
    return describeRow({ outcome, name, line }, [], `: ${code === undefined ? '' : `${code} `}${message}`);
  }
  const changes = answer?.changes.filter(({ field }) => field !== 'username') ?? [];
  const fields = changes.map((change) => describeField(outcome, withLabels(change, labels)));
  return describeRow({ outcome, name, line }, [
    ...fields,
    ...(answer === undefined ? [] : storeLines(answer)),
  ]);
}

interface DescribedRow {
  readonly outcome: RowResult['outcome'];
  readonly name: string;
  readonly line: number;
}

/** Describes what would happen to a row of any file: one line, plus one for each detail. */
export function describeRow(row: DescribedRow, details: readonly string[], remark = ''): string {
  const head = `${marks[row.outcome]} ${printable(row.name)}  ${row.outcome} (line ${row.line})${printable(remark)}`;
  return [head, ...details.map((detail) => `    ${printable(detail)}`)].map((text) => `${text}\n`).join('');
}

type Answer = NonNullable<RowResult['answer']>;
type Change = Answer['changes'][number];

function withLabels(change: Change, labels: TargetLabels): Change {
  const labelled = (id: string) => {
    const label = labels.get(`${change.field} ${id}`);
    return label === undefined ? id : `${id} (${label})`;
  };
  return { ...change, from: labelled(change.from), to: labelled(change.to) };
}

/** Describes a changed field; for a new entry, only its value. */
export function describeField(outcome: RowResult['outcome'], { field, from, to }: Change): string {
  if (outcome === 'created' || field === 'password') return `${field}: ${to}`;
  // The scope write does not learn the old value: an empty one may stand for any.
  return field === 'ext_info' && from === ''
    ? `${field}: → ${show(to)}`
    : `${field}: ${show(from)} → ${show(to)}`;
}

function show(value: string): string {
  return value === '' ? '(empty)' : value;
}

const codesShownMax = 20;

function storeLines({ stores_added, stores_removed }: Answer): string[] {
  return [...storeLine('+', stores_added), ...storeLine('-', stores_removed)];
}

function storeLine(sign: string, codes: readonly string[]): string[] {
  if (codes.length === 0) return [];
  const shown = codes.slice(0, codesShownMax).map((code) => `${sign}${code}`);
  const more = codes.length > codesShownMax ? ` … ${codes.length} in all` : '';
  return [`stores: ${shown.join(' ')}${more}`];
}
