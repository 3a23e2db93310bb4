import { useTexts } from '../../i18n/texts.ts';
import { useNumberFormat } from './use-number-format.ts';

interface Props {
  readonly calls: number;
  /** The bound that a share of the calls stayed below; `undefined` beyond the slowest one. */
  readonly ms: number | undefined;
}

/** Says how long a share of the calls took at most. */
export function Latency({ calls, ms }: Props) {
  const { overview } = useTexts();
  const number = useNumberFormat();
  if (calls === 0) return <>–</>;
  return <>{ms === undefined ? overview.slower : overview.atMost(number(ms))}</>;
}
