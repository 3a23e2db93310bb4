import { columnFields, fieldOfColumn, isNamesField, listFieldOfColumn, writeCsv } from '@fieldroster/tables';
import type { ImportKind } from '../job/import-job.ts';
import { fieldsOf } from './column-fields.ts';

/** Fields that programs write, not people. */
const ofPrograms: ReadonlySet<string> = new Set(['avatar', 'ext_info', 'password_hash']);

/**
 * Returns the headings of a file to fill in: in the reader's language, or the name of the field if the import would
 * take the heading for another one.
 */
export function templateHeadings(kind: ImportKind, labels: Readonly<Record<string, string>>): string[] {
  const fields =
    kind === 'users'
      ? columnFields.filter((field) => !ofPrograms.has(field) && !isNamesField(field))
      : fieldsOf(kind);
  return fields.map((field) => {
    const label = labels[field] ?? field;
    const found = kind === 'users' ? fieldOfColumn(label) : listFieldOfColumn(kind, label);
    return found === field ? label : field;
  });
}

/** Writes a file that holds nothing but headings. Spreadsheets recognise UTF-8 by the mark at the beginning. */
export function templateCsv(kind: ImportKind, labels: Readonly<Record<string, string>>): string {
  return `\ufeff${writeCsv([templateHeadings(kind, labels)])}`;
}
