import type { BindingTarget } from '../../database.ts';
import type { RowColumn } from '../session.ts';
import { optionalStoreTexts } from '../targets/target-columns.ts';

/** A column that an import may leave out, or leave empty in a row. An existing row keeps its own value. */
export interface ImportedColumn extends RowColumn {
  /** Name in files, if it differs. */
  readonly heading?: string;
  /** Value in a new row; without it, a new row must have one. */
  readonly whenAbsent?: bigint | string;
  /** File value that is stored as null. */
  readonly storedAsNull?: bigint | string;
}

/** An import's description of a table, from which the staged copy and the merge are both built. */
export interface ImportedTable {
  readonly name: BindingTarget;
  readonly key: RowColumn;
  readonly columns: readonly ImportedColumn[];
}

export const roleTable: ImportedTable = {
  name: 'role',
  key: { name: 'id', type: 'int64' },
  columns: [
    { name: 'name', type: 'text' },
    { name: 'system_id', type: 'int64', whenAbsent: 0n },
    { name: 'position', heading: 'order', type: 'int64', whenAbsent: 0n },
    { name: 'description', type: 'text', whenAbsent: '' },
    { name: 'code', type: 'text', whenAbsent: '', storedAsNull: '' },
  ],
};

export const orgTable: ImportedTable = {
  name: 'org',
  key: { name: 'id', type: 'int64' },
  columns: [
    { name: 'name', type: 'text' },
    { name: 'parent_id', type: 'int64', whenAbsent: 0n, storedAsNull: 0n },
  ],
};

export const storeTable: ImportedTable = {
  name: 'store',
  key: { name: 'code', type: 'text' },
  columns: [
    { name: 'name', type: 'text' },
    ...optionalStoreTexts.map((name) => ({ name, type: 'text', whenAbsent: '' }) as const),
  ],
};
