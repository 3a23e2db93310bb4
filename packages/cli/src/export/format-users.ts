import { stringifyExactJson } from '@fieldroster/client';
import { writeCsv } from '@fieldroster/tables';
import type { ExportColumn } from './export-columns.ts';
import type { ExportedUser } from './exported-users.ts';

/** A file format for users. */
export interface Format {
  readonly head: string;
  rows(users: readonly ExportedUser[]): string;
}

export const jsonl: Format = {
  head: '',
  rows: (users) => users.map((user) => `${stringifyExactJson(user)}\n`).join(''),
};

const byteOrderMark = '\ufeff';

/** @param separator separates the codes of a user's stores */
export function csv(columns: readonly ExportColumn[], separator: string, bom: boolean): Format {
  return {
    head: (bom ? byteOrderMark : '') + writeCsv([columns]),
    rows: (users) =>
      writeCsv(
        users.map((user) =>
          columns.map((column) =>
            column === 'store_codes' ? join(user, separator) : String(user[column] ?? ''),
          ),
        ),
      ),
  };
}

function join({ username, store_codes }: ExportedUser, separator: string): string {
  const codes = store_codes as readonly string[];
  const split = codes.find((code) => code.includes(separator) || code.trim() !== code);
  if (split === undefined) return codes.join(separator);
  throw new Error(
    `the store code '${split}' of ${username} has the separator '${separator}' in it; choose another --store-separator, or export a .jsonl file`,
  );
}
