import { type ImportKind, importKinds } from './import-job.ts';

/** What the page offers to import, as it is in the address. */
export interface ImportSearch {
  readonly of?: ImportKind;
}

/** Reads the address; leaves out what is not a kind. */
export function readImportSearch({ of }: { of?: unknown }): ImportSearch {
  const kind = importKinds.find((one) => one === of);
  return kind === undefined ? {} : { of: kind };
}
