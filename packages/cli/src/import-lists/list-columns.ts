import { ImportFault } from '@fieldroster/server/admin';
import { type ListKind, listFieldOfColumn, listFields } from '@fieldroster/tables';
import type { Mappings } from '../import/column-map.ts';

/** The treatment of columns whose names are not known. */
export interface ColumnRules {
  readonly map?: Mappings<string> | undefined;
  readonly ignoreUnknown?: boolean | undefined;
}

interface Header {
  readonly line: number;
  readonly names: readonly string[];
}

/**
 * Returns the field of each column; `undefined` for one that is left out.
 *
 * @throws {ImportFault} for an unknown column, two columns with the same field and a mapping of no column
 */
export function listColumns(
  kind: ListKind,
  { line, names }: Header,
  { map = {}, ignoreUnknown = false }: ColumnRules,
): readonly (string | undefined)[] {
  const absent = Object.keys(map).find((name) => !names.includes(name));
  if (absent !== undefined) throw new ImportFault('is not in the header, but --map names it', line, absent);
  const fields = names.map((name) => {
    const field = Object.hasOwn(map, name) ? map[name] : listFieldOfColumn(kind, name);
    if (field !== undefined) return field === 'nothing' ? undefined : field;
    if (name === '' || ignoreUnknown) return undefined;
    throw new ImportFault(
      `is unknown; the columns are ${Object.keys(listFields[kind])}; name its field with --map '${name}=FIELD', or leave it out with --map '${name}=' or --ignore-unknown`,
      line,
      name,
    );
  });
  for (const [index, field] of fields.entries()) {
    const first = names[fields.indexOf(field)];
    if (field === undefined || fields.indexOf(field) === index) continue;
    const name = names[index] as string;
    const fix = first === name ? 'remove one' : `leave one out: --map '${name}='`;
    throw new ImportFault(`is ${field}, and so is the column '${first}'; ${fix}`, line, name);
  }
  return fields;
}
