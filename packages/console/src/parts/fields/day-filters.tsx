import { useTexts } from '../../i18n/texts.ts';
import { DateField } from './date-field.tsx';
import styles from './day-filters.module.css';
import type { Days } from './time-of-days.ts';

interface Props {
  readonly days: Days;
  readonly onChange: (part: Days) => void;
}

/** The filters of a list by the first and the last day. */
export function DayFilters({ days, onChange }: Props) {
  const { general } = useTexts();
  const day = (name: keyof Days) => (
    <DateField
      type="date"
      aria-label={general[name]}
      leftSection={general[name]}
      leftSectionWidth="auto"
      classNames={{ section: styles.dayName ?? '', input: styles.day ?? '' }}
      value={days[name] ?? ''}
      onChange={(value) => onChange({ [name]: value })}
    />
  );
  return (
    <div className={styles.days}>
      {day('from')}
      {day('until')}
    </div>
  );
}
