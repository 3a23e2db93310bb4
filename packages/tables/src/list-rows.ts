import { unguardFormula } from '@fieldroster/contract/formula-guard';
import type { Problem } from '@fieldroster/contract/problems';
import { type ListKind, listFields } from './list-fields.ts';
import {
  cellText,
  readId,
  refuseConvertedCode,
  refuseFault,
  requireLength,
  ValueProblem,
} from './read-value.ts';
import { RowMistakes } from './row-mistakes.ts';
import { SheetNumber, type SourceRow } from './source-row.ts';

/** A row that describes a store, an organization or a role, or why it cannot be sent. */
export interface ListRow {
  readonly line: number;
  /** Its id or code in the directory; empty for a role that gets its id from the server. */
  readonly key: string;
  /** Identifies it in a list: the code or the id, as far as it was read, or the name of a role without an id. */
  readonly label: string;
  /** Its name, if the row has no label. */
  readonly name?: string;
  readonly values?: ListValues;
  readonly problem?: string;
  /** The problem as data, for other languages: each mistake of the row. */
  readonly faults?: readonly Problem[];
}

/** Only what the file gives: an empty cell keeps what is there. */
export type ListValues = Readonly<Record<string, string | bigint>>;

/**
 * Turns the rows of a file into entries; refuses a repetition of one, even of one that is wrong in another way, because it
 * is unclear which was meant.
 *
 * @param fields the field of each column; `undefined` for one that is left out
 */
export function readListRows(
  kind: ListKind,
  rows: readonly SourceRow[],
  fields: readonly (string | undefined)[],
): ListRow[] {
  const lines = new Map<string, number>();
  return rows.map((source) => {
    const { line, problem, fault } = source;
    const named = readKey(kind, source, fields);
    const first = lines.get(named);
    if (first === undefined && named !== '') lines.set(named, line);
    const failed = { line, key: '', ...identify(kind, source, fields) };
    if (problem !== undefined) return { ...failed, problem, ...(fault && { faults: [fault] }) };
    const mistakes = new RowMistakes();
    const values = readValues(kind, source, fields, mistakes);
    if (first !== undefined) mistakes.add({ key: 'entryRepeated', values: { line: first } });
    const wrong = mistakes.describe();
    if (wrong !== undefined) return { ...failed, ...wrong };
    return { line, key: named, label: named === '' ? String(values.name) : named, values };
  });
}

/** Returns the code or the id of a row, even of one that is wrong in another way; empty if it has none. */
function readKey(kind: ListKind, { values }: SourceRow, fields: readonly (string | undefined)[]): string {
  const field = kind === 'stores' ? 'code' : 'id';
  try {
    return String(readField(kind, field, values[fields.indexOf(field)]) ?? '');
  } catch (error) {
    if (error instanceof ValueProblem) return '';
    throw error;
  }
}

const identifying = { stores: ['code'], orgs: ['id'], roles: ['id', 'name'] } as const;

/** Returns what tells a reader which entry a row with a problem is about. */
function identify(
  kind: ListKind,
  { values }: SourceRow,
  fields: readonly (string | undefined)[],
): Pick<ListRow, 'label' | 'name'> {
  const given = (field: string) => shortText(values[fields.indexOf(field)]);
  const label = identifying[kind].map(given).find((text) => text !== '') ?? '';
  const name = label === '' ? given('name') : '';
  return { label, ...(name !== '' && { name }) };
}

function shortText(value: unknown): string {
  const text = value instanceof SheetNumber ? value.digits : value;
  return typeof text === 'string' ? text.slice(0, 100) : '';
}

function readValues(
  kind: ListKind,
  row: SourceRow,
  fields: readonly (string | undefined)[],
  mistakes: RowMistakes,
): ListValues {
  const values: Record<string, string | bigint> = {};
  for (const [index, field] of fields.entries()) {
    if (field === undefined) continue;
    const value = mistakes.collect(field, () => readField(kind, field, row.values[index]));
    if (value !== undefined) values[field] = value;
  }
  for (const [field, { isRequired }] of Object.entries(listFields[kind]))
    if (isRequired && values[field] === undefined && !mistakes.has(field))
      mistakes.add({ key: 'missing', values: { field } });
  return values;
}

function readField(kind: ListKind, field: string, value: unknown): string | bigint | undefined {
  const rule = listFields[kind][field];
  if (rule === undefined || value === undefined) return undefined;
  refuseFault(field, value, true);
  if (rule.type === 'number') return readNumber(field, value);
  const text = listCellText(kind, field, value);
  if (text === '') return undefined;
  if (rule.type === 'code' && text !== text.trim())
    throw new ValueProblem({ key: 'whiteSpaceAround', values: { field } });
  requireLength(field, text, rule.charactersMax);
  return text;
}

/**
 * Returns the text of a cell: of a number without white space around it, of any other field without the guard of a
 * formula. It keeps what the field does not allow.
 *
 * @throws {ValueProblem} for what a spreadsheet made of a text, such as a date or a shortened code
 */
export function listCellText(kind: ListKind, field: string, value: unknown): string {
  if (typeof value !== 'string') return cellText(field, value);
  const type = listFields[kind][field]?.type;
  if (type === 'number') return value.trim();
  const text = unguardFormula(value);
  if (type === 'code') refuseConvertedCode(field, text);
  return text;
}

const int32Max = 2n ** 31n - 1n;
const int64Max = 2n ** 63n - 1n;

function readNumber(field: string, value: unknown): bigint | undefined {
  const number = readId(field, typeof value === 'string' ? value.trim() : value);
  if (number === undefined) return undefined;
  const max = field === 'order' ? int32Max : int64Max;
  const min = field === 'system_id' || field === 'order' ? -max - 1n : field === 'parent_id' ? 0n : 1n;
  if (number < min || number > max)
    throw new ValueProblem({ key: 'outOfRange', values: { field, min: String(min), max: String(max) } });
  return number;
}
