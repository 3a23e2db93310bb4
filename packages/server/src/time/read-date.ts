import { isCalendarDay } from '@fieldroster/contract/calendar-day';

/**
 * Matches a day, with or without a time, as people and formatters write them: in digits alone, or with separators. The
 * century keeps digits apart from other numbers: as milliseconds, the shorter ones would be in 1970 or 1976.
 */
const dateForm =
  /^(20\d\d)(?:(\d\d)(\d\d)|([-/.])(\d\d?)\4(\d\d?))(?:[T ]?(\d\d):?(\d\d)(?::?(\d\d)(?:\.?(\d{3})\d*)?)?(Z|[+ -]\d\d:?\d\d)?)?$/;

/**
 * Reads a date that somebody sent in place of a number of milliseconds. One without a zone is taken to be in UTC.
 *
 * @returns Unix milliseconds; `undefined` if the text is no date
 */
export function readDate(text: string): number | undefined {
  const [found, year, monthDigits, dayDigits, , month = monthDigits, day = dayDigits, ...time] =
    dateForm.exec(text) ?? [];
  if (found === undefined) return undefined;
  const [hour = '00', minute = '00', second = '00', ms = '000', zone = 'Z'] = time;
  const date = `${year}-${month?.padStart(2, '0')}-${day?.padStart(2, '0')}`;
  if (!isCalendarDay(date)) return undefined;
  // A plus sign that was not escaped arrives as a space.
  const atMs = Date.parse(`${date}T${hour}:${minute}:${second}.${ms}${zone.replace(' ', '+')}`);
  return Number.isNaN(atMs) ? undefined : atMs;
}
