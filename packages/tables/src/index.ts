export { readCsvRows } from './csv/csv-rows.ts';
export { decodeText, encodingOfStart, startBytes } from './csv/decode-text.ts';
export { writeCsv, writeCsvAsIs } from './csv/write-csv.ts';
export { EncodingFault, FileFault } from './file-fault.ts';
export { type ListKind, listFieldOfColumn, listFields } from './list-fields.ts';
export { type ListRow, type ListValues, listCellText, readListRows } from './list-rows.ts';
export { looksLikeSeveralStores } from './looks-like-several-stores.ts';
export { type Batch, makeBatches } from './make-batches.ts';
export { cellText, isSecret, ValueProblem, type ValueRules } from './read-value.ts';
export { describeNames, type ResolvedNames, resolveNames } from './resolve-names.ts';
export { type HiddenInSheet, SheetFault, SheetNumber, type SourceRow, TableHeader } from './source-row.ts';
export {
  isNamesField,
  isTargetField,
  type NamesField,
  NamesInFile,
  namesFields,
  type TargetField,
  targetFields,
} from './target-names.ts';
export {
  type BatchEntry,
  type ColumnField,
  charactersMax,
  columnFields,
  fieldOfColumn,
  fieldOfNamesColumn,
  isColumnField,
  type UserField,
  userFields,
} from './user-fields.ts';
export { type UserRow, UserRows } from './user-rows.ts';
