import { useTexts } from '../../i18n/texts.ts';
import styles from './data-table.module.css';

/** More would take a browser minutes to lay out. */
export const printedMax = 5_000;

interface Props {
  /** How many rows are loaded. */
  readonly rows: number;
  readonly notLoaded: number | 'some';
}

/** Says below a printed table how many rows are missing on paper. */
export function NotPrinted({ rows, notLoaded }: Props) {
  const { general } = useTexts();
  const count = Math.max(0, rows - printedMax) + (notLoaded === 'some' ? 0 : notLoaded);
  if (count === 0 && notLoaded !== 'some') return null;
  return (
    <p className={styles.notPrinted}>
      {notLoaded === 'some' ? general.someNotPrinted : general.notPrinted(count)}
    </p>
  );
}
