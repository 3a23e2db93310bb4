import { Tooltip } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { presentTime } from '../../api/server-clock.ts';
import type { Id } from '../../api/wire.ts';
import { useLocale } from '../../i18n/texts.ts';
import { minutes } from './minutes.ts';
import { relativeDistance } from './relative-distance.ts';

interface Props {
  /** Unix milliseconds. */
  readonly at: Id;
}

/** A time relative to now, with the exact one in the reader's zone on hover. */
export function RelativeTime({ at }: Props) {
  const locale = useLocale();
  useSyncExternalStore(minutes.subscribe, minutes.read);
  const date = new Date(Number(at));
  const { exact, relative } = formatsOf(locale);
  const [count, unit] = relativeDistance(date.getTime() - presentTime());
  return (
    <Tooltip label={exact.format(date)}>
      <time dateTime={date.toISOString()}>{spaced(relative.format(count, unit))}</time>
    </Tooltip>
  );
}

/** Chinese text has a space beside a number, which `Intl` leaves out. */
function spaced(text: string): string {
  return text.replace(/(\d)(?=\p{Script=Han})/u, '$1 ');
}

/** Returns a function that writes a time exactly, in the reader's language and zone, which it names. */
export function useExactTime(): (date: Date) => string {
  const { zoned } = formatsOf(useLocale());
  return (date) => zoned.format(date);
}

interface Formats {
  readonly exact: Intl.DateTimeFormat;
  readonly zoned: Intl.DateTimeFormat;
  readonly relative: Intl.RelativeTimeFormat;
}

const formats = new Map<string, Formats>();

/** Kept, because making them takes a tenth of the time in which a table with times is drawn. */
function formatsOf(locale: string): Formats {
  const known = formats.get(locale);
  if (known !== undefined) return known;
  const made = {
    exact: new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' }),
    // This style names the zone too.
    zoned: new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'long' }),
    relative: new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' }),
  };
  formats.set(locale, made);
  return made;
}
