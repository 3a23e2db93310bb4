import type { CallFlags } from '../call/credentials.ts';
import type { FilterFlags } from '../user/user-filters.ts';
import type { ExportColumn } from './export-columns.ts';

export interface ExportFlags extends CallFlags, FilterFlags {
  readonly format?: 'csv' | 'jsonl';
  readonly columns: readonly ExportColumn[];
  readonly storeSeparator: string;
  readonly bom?: true;
  readonly overwrite?: true;
  readonly json?: true;
}
