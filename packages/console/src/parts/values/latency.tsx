import { Tooltip } from '@mantine/core';
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

interface NameProps {
  readonly of: 'p50' | 'p99';
}

/** The name of a latency in plain words; the exact term shows on hover and on touch. */
export function LatencyName({ of }: NameProps) {
  const { overview } = useTexts();
  return (
    <Tooltip label={overview.latencyHelp[of]} events={{ hover: true, focus: true, touch: true }}>
      <span>{overview.latency[of]}</span>
    </Tooltip>
  );
}
