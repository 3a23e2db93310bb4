import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { callConsole } from '../../api/call.ts';
import { reachability } from '../../api/reachability.ts';
import { useTexts } from '../../i18n/texts.ts';
import { useHeightProperty } from '../../parts/page/use-height-property.ts';
import styles from './connection-bar.module.css';

const askEveryMs = 2_000;

/** The server gives up on a small request after this time. */
const answerWithinMs = 10_000;

/** Says above the page that the server does not answer, for as long as it does not. The page makes room for it. */
export function ConnectionBar() {
  const isReachable = useSyncExternalStore(reachability.subscribe, reachability.read);
  // A screen reader says what enters a part that was there before.
  return (
    <div className={styles.place} role="status">
      {!isReachable && <Bar />}
    </div>
  );
}

function Bar() {
  const { failure } = useTexts();
  useAnswer();
  const [bar, setBar] = useState<HTMLDivElement | null>(null);
  useHeightProperty(bar, '--fr-bar');
  return (
    <div ref={setBar} className={styles.bar}>
      <strong>{failure.unreachable}</strong> {failure.unreachableHelp}
    </div>
  );
}

/** Asks the server until it answers, one call at a time, and then loads again what the page shows. */
function useAnswer(): void {
  const client = useQueryClient();
  useQuery({
    queryKey: ['reachability'],
    queryFn: ({ signal }) => ask(signal),
    // Waits before the first call too: a call has just failed.
    initialData: null,
    staleTime: 'static',
    gcTime: 0,
    refetchInterval: askEveryMs,
    refetchIntervalInBackground: true,
  });
  useEffect(
    () => () => {
      // Leaves pending calls alone. If they started again at each answer, one that keeps failing would never give up.
      client.invalidateQueries({}, { cancelRefetch: false });
    },
    [client],
  );
}

/** Any answer ends the bar, a refusal too. */
async function ask(signal: AbortSignal): Promise<null> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(answerWithinMs)]);
  await callConsole('querySession', {}, undefined, { signal: limited }).catch(() => {});
  return null;
}
