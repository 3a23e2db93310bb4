import { Tooltip } from '@mantine/core';
import type { Id } from '../api/wire.ts';
import { languages, useLanguage } from '../i18n/texts.ts';

const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

interface Props {
  /** Unix milliseconds. */
  readonly at: Id;
}

/** A time relative to now, with the exact one in the reader's zone on hover. */
export function RelativeTime({ at }: Props) {
  const { tag } = languages[useLanguage().language];
  const date = new Date(Number(at));
  const exact = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'medium' }).format(date);
  return (
    <Tooltip label={exact}>
      <time dateTime={date.toISOString()}>{relative(date.getTime() - Date.now(), tag)}</time>
    </Tooltip>
  );
}

function relative(differenceMs: number, tag: string): string {
  const seconds = differenceMs / 1000;
  const [unit, size] = units.find(([, length]) => Math.abs(seconds) >= length) ?? units[5];
  return new Intl.RelativeTimeFormat(tag, { numeric: 'auto', style: 'short' }).format(
    Math.round(seconds / size),
    unit,
  );
}
