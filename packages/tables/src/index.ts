export { readCsvRows } from './csv-rows.ts';
export { decodeText, encodingOfMark } from './decode-text.ts';
export { EncodingFault, FileFault } from './file-fault.ts';
export { type ListKind, listFieldOfColumn, listFields } from './list-fields.ts';
export { type ListRow, type ListValues, readListRows } from './list-rows.ts';
export { type Batch, makeBatches } from './make-batches.ts';
export { cellText, isSecret, ValueProblem, type ValueRules } from './read-value.ts';
export { describeNames, type ResolvedNames, resolveNames } from './resolve-names.ts';
export { SheetFault, SheetNumber, type SourceRow, TableHeader } from './source-row.ts';
export { isTargetField, NamesInFile, targetFields } from './target-names.ts';
export {
  type BatchEntry,
  charactersMax,
  columnNames,
  fieldOfColumn,
  fieldOfNamesColumn,
  isUserField,
  type UserField,
  userFields,
} from './user-fields.ts';
export { type UserRow, UserRows } from './user-rows.ts';
export { writeCsv } from './write-csv.ts';
