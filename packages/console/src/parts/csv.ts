import { guardFormula } from '@fieldroster/contract/formula-guard';

/** Writes cells as a line of a CSV file. A spreadsheet takes none of them for a formula. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(cell).join(',')}\r\n`;
}

function cell(text: string): string {
  const guarded = guardFormula(text);
  return /[",\r\n]|^\s|\s$/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}
