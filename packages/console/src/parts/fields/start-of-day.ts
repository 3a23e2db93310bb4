/**
 * Returns when a day begins in the reader's zone, in Unix milliseconds.
 *
 * @param later how many days after it instead
 */
export function startOfDay(day: string, later: number): number {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const start = new Date(2000, 0, 1);
  // The constructor would read the years before 100, which are there while a year is typed, as 1900 and later.
  start.setFullYear(year, month - 1, date + later);
  return start.getTime();
}
