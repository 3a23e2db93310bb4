import { stringifyExactJson } from '@fieldroster/client';
import { limits } from '@fieldroster/contract/limits';
import type { Problem } from '@fieldroster/contract/problems';
import { readNameBeside, readValue, ValueProblem, type ValueRules } from './read-value.ts';
import { asFault, type SourceRow } from './source-row.ts';
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
  /** The problem as data, for other languages; absent for what only the command finds. */
  readonly fault?: Problem;
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
    const user = toUserRow(row, fields, this.#rules);
    const username = user.entry === undefined ? readUsername(row, fields, this.#rules) : user.username;
    return this.#refuseRepetition(user, username);
  }

  /**
   * Refuses a repeated username: otherwise the last request to arrive would decide which row wins. A row with a problem
   * counts too, because it may be the one that was meant.
   */
  #refuseRepetition(row: UserRow, username: string): UserRow {
    const first = this.#lines.get(username);
    if (first === undefined && username !== '') this.#lines.set(username, row.line);
    if (first === undefined || row.entry === undefined) return row;
    const fault = asFault({ key: 'usernameRepeated', values: { line: first } });
    return { line: row.line, username: row.username, bytes: 0, ...fault };
  }
}

function toUserRow(row: SourceRow, fields: readonly (ColumnField | undefined)[], rules: ValueRules): UserRow {
  const { line, problem, fault } = row;
  const username = nameOf(row, fields);
  if (problem !== undefined) return { line, username, bytes: 0, problem, ...(fault && { fault }) };
  try {
    return { line, ...readEntry(row, fields, rules) };
  } catch (error) {
    if (error instanceof ValueProblem) return { line, username, bytes: 0, ...asFault(error.problem) };
    throw error;
  }
}

function readEntry(row: SourceRow, fields: readonly (ColumnField | undefined)[], rules: ValueRules) {
  const sent: Record<string, unknown> = {};
  for (const [index, field] of fields.entries()) {
    if (field === undefined || isNamesField(field)) continue;
    const value = readValue(field, row.values[index], rules);
    if (value !== undefined) sent[field] = value;
  }
  for (const field of targetFields) {
    const column = fields.indexOf(namesFields[field]);
    if (column === -1) continue;
    const id = readNameBeside(field, sent[field] as bigint | undefined, row.values[column], rules);
    if (id !== undefined) sent[field] = id;
  }
  const { username } = sent;
  if (typeof username !== 'string' || username === '')
    throw new ValueProblem({ key: 'missing', values: { field: 'username' } });
  const bytes = utf8.encode(stringifyExactJson(sent)).length;
  const max = limits.batchBodyBytesMax;
  if (bytes > max) throw new ValueProblem({ key: 'rowTooLarge', values: { bytes, max } });
  return { username, entry: sent as unknown as BatchEntry, bytes };
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
