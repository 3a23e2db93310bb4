import type { Id } from '../../api/wire.ts';
import { useExactTime } from './relative-time.tsx';

interface Props {
  /** Unix milliseconds. */
  readonly at: Id;
}

/** A time to the second in the reader's zone, for details; lists show how long ago it was. */
export function ExactTime({ at }: Props) {
  const exact = useExactTime();
  const date = new Date(Number(at));
  return <time dateTime={date.toISOString()}>{exact(date)}</time>;
}
