import {
  type ColumnField,
  columnFields,
  FileFault,
  fieldOfColumn,
  fieldOfNamesColumn,
  isTargetField,
  namesFields,
} from '@fieldroster/tables';
import { readOnlyColumns } from '../export/export-columns.ts';
import { UsageError } from '../run-program.ts';

/** Column with the reason in a file of failed rows; an import leaves it out. */
export const problemColumn = 'import_problem';

/** Columns of an export that no import sets, in exactly this spelling: another one may mean something else elsewhere. */
const columnsOfExports: ReadonlySet<string> = new Set(readOnlyColumns);

/** The field that `--map` assigns to each column, or `nothing` to leave the column out. */
export type Mappings<Field extends string = ColumnField> = Readonly<Record<string, Field | 'nothing'>>;

/** Returns a parser of one `--map column=field`, which adds it to those before. */
export function mappingParser<Field extends string>(
  fields: readonly Field[],
): (text: string, before?: Mappings<Field>) => Mappings<Field> {
  return (text, before = {}) => {
    const [, column, name = ''] = /^(.+)=([^=]*)$/.exec(text) ?? [];
    if (column === undefined) throw new UsageError(`--map is '${text}'; it must be COLUMN=FIELD`);
    const field = fields.find((known) => known === name);
    if (name !== '' && field === undefined)
      throw new UsageError(`--map ${text}: there is no field '${name}'; the fields are ${fields.join(', ')}`);
    return { ...before, [column]: field ?? 'nothing' };
  };
}

type KnownField = ColumnField | 'nothing' | undefined;

/** Maps column names to fields, the same way for every row. */
export class ColumnMap {
  /** The columns of an export that no import sets. */
  readonly leftOut = new Set<string>();
  readonly #mappings: Mappings;
  readonly #ignoreUnknown: boolean;
  #names: readonly string[] = [];
  #fields: readonly (ColumnField | undefined)[] = [];

  constructor(mappings: Mappings, ignoreUnknown: boolean) {
    this.#mappings = mappings;
    this.#ignoreUnknown = ignoreUnknown;
  }

  /**
   * Returns the field of each column; `undefined` for a column that is left out.
   *
   * @throws {FileFault} for an unknown column, and for two columns with the same field
   */
  fieldsOf(names: readonly string[], line: number): readonly (ColumnField | undefined)[] {
    // All rows of a table share one array.
    if (names === this.#names) return this.#fields;
    const known = names.map((name) => this.#knownField(name));
    const fields = names.map((name, column) => this.#fieldOf(name, known[column], known, line));
    requireDistinct(names, fields, line);
    this.#names = names;
    this.#fields = fields;
    return fields;
  }

  /** @throws {FileFault} when the header lacks a column that every import needs or that a mapping names */
  requireHeader(names: readonly string[], line: number): void {
    const fields = this.fieldsOf(names, line);
    const mapped = Object.keys(this.#mappings).find((name) => !names.includes(name));
    if (mapped !== undefined) {
      throw new FileFault(`--map names the column '${mapped}', but the header has ${quoted(names)}`, line);
    }
    if (!fields.includes('username')) {
      throw new FileFault(
        `no column is the username; the header has ${quoted(names)}; map one: --map COLUMN=username`,
        line,
      );
    }
  }

  /** Returns the field that a mapping or the name itself gives to a column. */
  #knownField(name: string): KnownField {
    return Object.hasOwn(this.#mappings, name) ? this.#mappings[name] : fieldOfColumn(name);
  }

  #fieldOf(
    name: string,
    known: KnownField,
    knownOfAll: readonly KnownField[],
    line: number,
  ): ColumnField | undefined {
    if (known !== undefined) return known === 'nothing' ? undefined : known;
    const named = fieldOfNamesColumn(name, { has: (field) => knownOfAll.includes(field) });
    if (named !== undefined) return named;
    if (name === '' || name === problemColumn || this.#ignoreUnknown) return undefined;
    if (columnsOfExports.has(name)) {
      this.leftOut.add(name);
      return undefined;
    }
    throw new FileFault(
      `the column '${name}' is not one of ${columnFields.join(', ')}; name its field with --map '${name}=FIELD', or leave it out with --map '${name}=' or --ignore-unknown`,
      line,
    );
  }
}

function requireDistinct(
  names: readonly string[],
  fields: readonly (ColumnField | undefined)[],
  line: number,
): void {
  for (const [index, field] of fields.entries()) {
    const first = fields.indexOf(field);
    if (field === undefined || first === index) continue;
    throw new FileFault(
      `the columns '${names[first]}' and '${names[index]}' are both ${field}; leave one out: --map '${names[index]}='${asNames(field, names[index])}`,
      line,
    );
  }
}

function asNames(field: ColumnField, name: string | undefined): string {
  if (!isTargetField(field)) return '';
  return `, or read it as the names beside the ids: --map '${name}=${namesFields[field]}'`;
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `'${name}'`).join(', ');
}
