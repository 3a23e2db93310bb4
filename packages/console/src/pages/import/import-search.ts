import { type ImportKind, importKinds } from './job/import-job.ts';

/** The part of the address that says what the page imports. */
export interface ImportSearch {
  readonly of?: ImportKind;
}

/** Reads what the page imports from the address, and ignores unknown kinds. */
export function readImportSearch({ of }: { of?: unknown }): ImportSearch {
  const kind = importKinds.find((one) => one === of);
  return kind === undefined ? {} : { of: kind };
}
