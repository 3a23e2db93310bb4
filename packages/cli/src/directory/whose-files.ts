import { printable } from '../output/print.ts';

/** Returns lines that say how to give the files to the user of the server; empty if nothing needs to be done. */
export function whoseFiles({ ownerCommand }: { readonly ownerCommand?: string | undefined }): string {
  if (ownerCommand === undefined) return '';
  return `The user of the server must own the files. If that is not so yet, run:\n  ${printable(ownerCommand)}\n`;
}
