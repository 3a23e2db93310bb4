/**
 * Splits one result of SQLite's integrity check into its faults, each on one line. A result about pages begins with the
 * name of the database, which this leaves out.
 */
export function faultsInReport(report: string): string[] {
  return report
    .split('\n')
    .filter((line) => line !== '' && !/^\*\*\* in database \w+ \*\*\*$/.test(line))
    .map(legible);
}

/** Replaces unreadable characters in a message of SQLite, which may quote names from a damaged page. */
export function legible(message: string): string {
  return message.replaceAll(/[\p{Cc}\ufffd]+/gu, '(unreadable)');
}
