import { profileFields } from '@fieldroster/contract';

/** The columns that an import sets, which an export contains by default. */
export const importedColumns = [
  'username',
  'real_name',
  'phone',
  'department',
  'role_id',
  'org_id',
  'store_codes',
] as const;

const imported: ReadonlySet<string> = new Set(importedColumns);

const profileColumns = (Object.keys(profileFields) as (keyof typeof profileFields)[]).filter(
  (name) => !imported.has(name),
);

/** The other columns, which an import does not set. */
export const furtherColumns = [
  'id',
  ...profileColumns,
  'status',
  'revision',
  'created_at',
  'updated_at',
] as const;

export const exportColumns = [...importedColumns, ...furtherColumns] as const;

export type ExportColumn = (typeof exportColumns)[number];
