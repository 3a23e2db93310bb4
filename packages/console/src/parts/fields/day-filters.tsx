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
  const { general } = useTexts();
  const day = (name: keyof Days) => (
    <div className={styles.field}>
      <DateField
        type="date"
        aria-label={general[name]}
        leftSection={general[name]}
        leftSectionWidth="auto"
        classNames={{ section: styles.dayName ?? '', input: styles.day ?? '' }}
        value={days[name] ?? ''}
        onChange={(value) => onChange({ [name]: value })}
      />
      <DayInWords day={days[name]} />
    </div>
  );
  return (
    <div className={styles.days}>
      {day('from')}
      {day('until')}
    </div>
  );
}
