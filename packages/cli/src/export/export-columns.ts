import { profileFields } from '@fieldroster/contract';

/** The columns of an export without `--columns`. An import sets all of them. */
export const defaultColumns = [
  'username',
  'real_name',
  'phone',
  'department',
  'role_id',
  'org_id',
  'store_codes',
] as const;

const defaults: ReadonlySet<string> = new Set(defaultColumns);

/** The other columns that an import sets. */
export const furtherColumns = (Object.keys(profileFields) as (keyof typeof profileFields)[]).filter(
  (name) => !defaults.has(name),
);

/** Columns that an import does not know. */
export const readOnlyColumns = ['id', 'status', 'revision', 'created_at', 'updated_at'] as const;

export const exportColumns = [...defaultColumns, ...furtherColumns, ...readOnlyColumns] as const;

export type ExportColumn = (typeof exportColumns)[number];
