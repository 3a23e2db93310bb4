import { useState } from 'react';
import { useLocale, useTexts } from '../../i18n/texts.ts';
import { DateField } from './date-field.tsx';
import styles from './day-filters.module.css';
import type { Days } from './time-of-days.ts';

interface Props {
  readonly days: Days;
  readonly onChange: (part: Days) => void;
}

/**
 * Shows the day in the language of the console, over the field. The browser writes the field in its own language, which
 * no page can change; while it has the focus, it shows what is typed.
 */
function DayInWords({ day }: { readonly day: string | undefined }) {
  const { general } = useTexts();
  const locale = useLocale();
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  return (
    <span className={styles.words} data-empty={day === undefined || undefined} aria-hidden="true">
      {day === undefined ? general.anyDay : format.format(Date.parse(day))}
    </span>
  );
}

/** The filters of a list by the first and the last day. */
export function DayFilters({ days, onChange }: Props) {
  return (
    <div className={styles.days}>
      {(['from', 'until'] as const).map((name) => (
        <DayFilter key={name} name={name} day={days[name]} onChange={(day) => onChange({ [name]: day })} />
      ))}
    </div>
  );
}

const classNames = {
  section: styles.dayName ?? '',
  input: styles.day ?? '',
  error: styles.error ?? '',
};

interface DayProps {
  readonly name: keyof Days;
  readonly day: string | undefined;
  readonly onChange: (day: string) => void;
}

function DayFilter({ name, day, onChange }: DayProps) {
  const { general } = useTexts();
  // A half-typed day has the empty value, like none.
  const [isLeftIncomplete, setLeftIncomplete] = useState(false);
  const isIncomplete = isLeftIncomplete && day === undefined;
  return (
    <div className={styles.field} data-incomplete={isIncomplete || undefined}>
      <DateField
        type="date"
        aria-label={general[name]}
        leftSection={general[name]}
        leftSectionWidth="auto"
        classNames={classNames}
        value={day ?? ''}
        onChange={onChange}
        onBlur={({ currentTarget }) => setLeftIncomplete(currentTarget.validity.badInput)}
        error={isIncomplete && general.incompleteDay}
      />
      {!isIncomplete && <DayInWords day={day} />}
    </div>
  );
}
