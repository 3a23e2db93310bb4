import { Link } from '@tanstack/react-router';
import type { CallHistory } from '../../api/call-history-query.ts';
import { useTexts } from '../../i18n/texts.ts';
import { useTenant } from '../../parts/use-tenant.ts';
import { Latency, LatencyName } from '../../parts/values/latency.tsx';
import { useNumberFormat } from '../../parts/values/use-number-format.ts';
import type { Series } from './call-series.ts';
import styles from './overview.module.css';

interface Props {
  readonly history: CallHistory;
  readonly series: readonly Series[];
  readonly by: 'code' | 'operation';
}

/** Shows the numbers behind the chart, with its colours as the legend. */
export function CallBreakdown({ history, series, by }: Props) {
  const { overview } = useTexts();
  const number = useNumberFormat();
  const percent = useNumberFormat({ style: 'percent', maximumFractionDigits: 1 });
  const all = series.reduce((sum, { calls }) => sum + calls, 0);
  const isByOperation = by === 'operation';
  return (
    <div className={styles.scroll} tabIndex={-1}>
      <table className={styles.breakdown}>
        <thead>
          <tr>
            <th scope="col">{isByOperation ? overview.operation : overview.code}</th>
            <th scope="col">{overview.calls}</th>
            <th scope="col">%</th>
            {isByOperation && <th scope="col">{overview.failed}</th>}
            {isByOperation && (
              <th scope="col">
                <LatencyName of="p50" />
              </th>
            )}
            {isByOperation && (
              <th scope="col">
                <LatencyName of="p99" />
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {series.map(({ key, label, color, dashes, calls }) => (
            <tr key={key}>
              <th scope="row">
                <svg className={styles.swatch} viewBox="0 0 16 4" aria-hidden="true">
                  <line x2="16" y1="2" y2="2" stroke={color} strokeWidth="3" strokeDasharray={dashes} />
                </svg>
                {isByOperation || key === '0' || key === 'others' ? (
                  label
                ) : (
                  <CodeLink code={key} label={label} />
                )}
              </th>
              <td>{number(calls)}</td>
              <td>{percent(calls / all)}</td>
              {isByOperation && <OperationCells history={history} operation={key} />}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function CodeLink({ code, label }: { readonly code: string; readonly label: string }) {
  const tenant = String(useTenant());
  return (
    <Link to="/t/$tenant/requests" params={{ tenant }} search={{ code: Number(code) }}>
      {label}
    </Link>
  );
}

function OperationCells({
  history,
  operation,
}: {
  readonly history: CallHistory;
  readonly operation: string;
}) {
  const number = useNumberFormat();
  const entry = history.operations.find((one) => one.operation === operation);
  if (entry === undefined) return <td colSpan={3} />;
  return (
    <>
      <td className={entry.failed > 0 ? styles.bad : ''}>{number(entry.failed)}</td>
      <td>
        <Latency calls={entry.calls} ms={entry.p50_ms} />
      </td>
      <td>
        <Latency calls={entry.calls} ms={entry.p99_ms} />
      </td>
    </>
  );
}
