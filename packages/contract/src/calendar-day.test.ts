import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isCalendarDay } from './calendar-day.ts';

test('a day is one of the calendar, with four, two and two digits', () => {
  for (const day of ['2026-01-31', '2024-02-29', '0026-12-31', '0000-01-01', '9999-12-31'])
    assert(isCalendarDay(day), day);
  const others = [
    '',
    '2026-02-30',
    '2026-02-29',
    '2026-99-99',
    '2026-00-10',
    '2026-1-1',
    '2026-01-31T00:00Z',
  ];
  for (const text of [...others, ' 2026-01-31', '２０２６-01-01']) assert(!isCalendarDay(text), text);
});
