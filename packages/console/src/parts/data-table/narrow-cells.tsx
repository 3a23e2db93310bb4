import type { Column } from './column.ts';
import styles from './data-table.module.css';

interface Props<Row> {
  readonly row: Row;
  readonly columns: readonly Column<Row>[];
}

/** The cells of a row where there is no room for columns: the first value, and the others on a line below. */
export function NarrowCells<Row>({ row, columns: [first, ...others] }: Props<Row>) {
  const ends = others.filter(({ narrowPlace }) => narrowPlace === 'end');
  return (
    <>
      <td className={styles.entry}>
        <div className={styles.lead}>
          <div className={styles.first}>{first?.cell(row)}</div>
          <div className={styles.side}>
            {others.map(
              ({ key, narrowPlace, cell }) => narrowPlace === 'side' && <span key={key}>{cell(row)}</span>,
            )}
          </div>
        </div>
        <div className={styles.below}>
          {others.map(
            ({ key, narrowPlace, title, needsTitle, cell }) =>
              narrowPlace === undefined && (
                <span key={key} data-title={needsTitle ? `${title} ` : ''}>
                  {cell(row)}
                </span>
              ),
          )}
        </div>
      </td>
      {ends.map(({ key, isActions, cell }) => (
        <td key={key} className={isActions ? styles.actions : undefined}>
          {cell(row)}
        </td>
      ))}
    </>
  );
}
