import { stringifyExactJson } from '@fieldroster/client';
import { limits } from '@fieldroster/contract/limits';
import type { Problem } from '@fieldroster/contract/problems';
import { readNameBeside, readValue, refuseFault, ValueProblem, type ValueRules } from './read-value.ts';
import { RowMistakes } from './row-mistakes.ts';
import type { SourceRow } from './source-row.ts';
import { isNamesField, namesFields, targetFields } from './target-names.ts';
import type { BatchEntry, ColumnField } from './user-fields.ts';

/** A row that says what to do with a user, or why it cannot be sent. */
export interface UserRow {
  readonly line: number;
  /** Empty when the row has no username. */
  readonly username: string;
  readonly entry?: BatchEntry;
  /** Size of the entry as JSON. */
  readonly bytes: number;
  readonly problem?: string;
  /** The problem as data, for other languages: each mistake of the row. Absent for what only the command finds. */
  readonly faults?: readonly Problem[];
}

/** Turns the rows of one file into users, in their order. */
export class UserRows {
  readonly #rules: ValueRules;
  readonly #lines = new Map<string, number>();

  constructor(rules: ValueRules) {
    this.#rules = rules;
  }

  /** @param fields the field of each column; `undefined` for one that is left out */
  next(row: SourceRow, fields: readonly (ColumnField | undefined)[]): UserRow {
    const { line, problem, fault } = row;
    const failed = { line, username: nameOf(row, fields), bytes: 0 };
    if (problem !== undefined) {
      this.#noteUsername(readUsername(row, fields, this.#rules), line);
      return { ...failed, problem, ...(fault && { faults: [fault] }) };
    }
    const mistakes = new RowMistakes();
    const sent = readFields(row, fields, this.#rules, mistakes);
    const firstLine = this.#noteUsername(String(sent.username ?? ''), line);
    if (firstLine !== undefined) mistakes.add({ key: 'usernameRepeated', values: { line: firstLine } });
    const bytes = mistakes.isEmpty ? sizeOf(sent, mistakes) : 0;
    const wrong = mistakes.describe();
    if (wrong !== undefined) return { ...failed, ...wrong };
    return { line, username: String(sent.username), entry: sent as unknown as BatchEntry, bytes };
  }

  /**
   * Returns the line that already has the username. A username may not be repeated: otherwise the last request to arrive
   * would decide which row wins. A row with a problem counts too, because it may be the one that was meant.
   */
  #noteUsername(username: string, line: number): number | undefined {
    const first = this.#lines.get(username);
    if (first === undefined && username !== '') this.#lines.set(username, line);
    return first;
  }
}

type SentFields = Readonly<Record<string, unknown>>;

function readFields(
  { values }: SourceRow,
  fields: readonly (ColumnField | undefined)[],
  rules: ValueRules,
  mistakes: RowMistakes,
): SentFields {
  const sent: Record<string, unknown> = {};
  for (const [index, field] of fields.entries()) {
    if (field === undefined || isNamesField(field)) continue;
    const value = mistakes.collect(field, () => readValue(field, values[index], rules));
    if (value !== undefined) sent[field] = value;
  }
  for (const field of targetFields) {
    const column = fields.indexOf(namesFields[field]);
    if (column === -1) continue;
    const id = mistakes.collect(namesFields[field], () => {
      // What the name should stand for is unknown.
      if (mistakes.has(field)) return refuseFault(namesFields[field], values[column], rules.mayBeGuarded);
      return readNameBeside(field, sent[field] as bigint | undefined, values[column], rules);
    });
    if (id !== undefined) sent[field] = id;
  }
  if ((sent.username ?? '') === '' && !mistakes.has('username'))
    mistakes.add({ key: 'missing', values: { field: 'username' } });
  if (sent.password && sent.password_hash)
    mistakes.add({ key: 'twoPasswords', values: { field: 'the row' } });
  return sent;
}

/** Returns the size of an entry as JSON. */
function sizeOf(sent: SentFields, mistakes: RowMistakes): number {
  const bytes = utf8.encode(stringifyExactJson(sent)).length;
  const max = limits.batchBodyBytesMax;
  if (bytes > max) mistakes.add({ key: 'rowTooLarge', values: { bytes, max } });
  return bytes;
}

const utf8 = new TextEncoder();

/** Returns the username as the entry has it; empty if there is none that the interface accepts. */
function readUsername(
  { values }: SourceRow,
  fields: readonly (ColumnField | undefined)[],
  rules: ValueRules,
): string {
  try {
    return String(readValue('username', values[fields.indexOf('username')], rules) ?? '');
  } catch (error) {
    if (error instanceof ValueProblem) return '';
    throw error;
  }
}

/** Returns the username for the result file, even from a row with a problem. */
function nameOf({ values }: SourceRow, fields: readonly (ColumnField | undefined)[]): string {
  const value = values[fields.indexOf('username')];
  return typeof value === 'string' ? value.slice(0, limits.usernameCharactersMax) : '';
}
