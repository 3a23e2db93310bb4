import { useTexts } from '../../i18n/texts.ts';
import type { Column } from './column.ts';
import styles from './data-table.module.css';

interface Props<Row> {
  readonly row: Row;
  readonly columns: readonly Column<Row>[];
}

/** The cells of a row where there is no room for columns: the first value, and the others on a line below. */
export function NarrowCells<Row>({ row, columns: [first, ...others] }: Props<Row>) {
  const { general } = useTexts();
  const at = (place: Column<Row>['narrowPlace']) => others.filter(({ narrowPlace }) => narrowPlace === place);
  return (
    <>
      <td className={styles.entry}>
        <div className={styles.lead}>
          <div className={styles.first}>{first?.cell(row)}</div>
          <div className={styles.side}>
            {at('side').map(({ key, cell }) => (
              <span key={key}>{cell(row)}</span>
            ))}
          </div>
        </div>
        <div className={styles.below}>
          {[...at('start'), ...at(undefined)].map(({ key, title, needsTitle, cell, narrowCell = cell }) => (
            <span key={key} data-title={needsTitle ? general.titled(title) : ''}>
              {narrowCell(row)}
            </span>
          ))}
        </div>
      </td>
      {at('end').map(({ key, isActions, cell }) => (
        <td key={key} className={isActions ? styles.actions : undefined} data-row-actions={isActions}>
          {cell(row)}
        </td>
      ))}
    </>
  );
}
