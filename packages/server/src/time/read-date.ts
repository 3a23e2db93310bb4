import { isCalendarDay } from '@fieldroster/contract/calendar-day';

/**
 * Matches a day, with or without a time, as people and formatters write them: in digits alone, or with separators. The
 * century keeps digits apart from other numbers: as milliseconds, the shorter ones would be in 1970 or 1976.
 */
const dateForm =
  /^(20\d\d)([-/.]?)(\d\d)\2(\d\d)(?:[T ]?(\d\d):?(\d\d)(?::?(\d\d)(?:\.?(\d{3})\d*)?)?(Z|[+-]\d\d:?\d\d)?)?$/;

/**
 * Reads a date that somebody sent in place of a number of milliseconds. One without a zone is taken to be in UTC.
 *
 * @returns Unix milliseconds; `undefined` if the text is no date
 */
export function readDate(text: string): number | undefined {
  const [found, year, , month, day, hour = '00', minute = '00', second = '00', ms = '000', zone = 'Z'] =
    dateForm.exec(text) ?? [];
  const date = `${year}-${month}-${day}`;
  if (found === undefined || !isCalendarDay(date)) return undefined;
  const atMs = Date.parse(`${date}T${hour}:${minute}:${second}.${ms}${zone}`);
  return Number.isNaN(atMs) ? undefined : atMs;
}
