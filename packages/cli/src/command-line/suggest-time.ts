import { isCalendarDay } from '@fieldroster/contract/calendar-day';

const dayForm = /^(\d{4})([-/.]?)(\d{1,2})\2(\d{1,2})$/;
const timeForm = /^(.*\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?) ?(?:(Z)|([+-]\d\d):?(\d\d))?$/i;

/** Seconds have this many digits until 2286, and milliseconds three more. */
const unixForm = /^\d{10}(?:\d{3})?$/;

/** Returns how to write, in ISO 8601, what was meant by a time in another form; `undefined` if that is not known. */
export function suggestTime(text: string): string | undefined {
  if (unixForm.test(text)) return new Date(Number(text.padEnd(13, '0'))).toISOString();
  const [, day = text, time, utc, hours, minutes] = timeForm.exec(text) ?? [];
  const date = dateIn(day);
  if (date === undefined || time === undefined) return date;
  const zone = hours === undefined ? 'Z' : `${hours}:${minutes}`;
  const moment = `${date}T${time}${zone}`;
  if (Number.isNaN(Date.parse(moment))) return undefined;
  return utc === undefined && hours === undefined ? `${moment} if it is in UTC` : moment;
}

/** Returns whether a text names a moment rather than a length of time. */
export function looksLikeTime(text: string): boolean {
  return suggestTime(text) !== undefined;
}

function dateIn(day: string): string | undefined {
  const [, year, separator, month = '', ofMonth = ''] = dayForm.exec(day) ?? [];
  if (separator === '' && day.length !== 8) return undefined;
  const date = `${year}-${month.padStart(2, '0')}-${ofMonth.padStart(2, '0')}`;
  return isCalendarDay(date) ? date : undefined;
}
