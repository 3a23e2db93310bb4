import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { callConsole } from '../../api/call.ts';
import { readReachable, subscribeReachable } from '../../api/reachability.ts';
import { useTexts } from '../../i18n/texts.ts';
import styles from './connection-bar.module.css';

const askEveryMs = 2_000;

/** Says on top of the page that the server does not answer, until it does. */
export function ConnectionBar() {
  const { failure } = useTexts();
  const client = useQueryClient();
  const isReachable = useSyncExternalStore(subscribeReachable, readReachable);
  useEffect(() => {
    if (isReachable) return;
    // Any answer ends the bar, a refusal too.
    const timer = setInterval(() => callConsole('querySession', {}).catch(() => {}), askEveryMs);
    return () => {
      clearInterval(timer);
      client.invalidateQueries();
    };
  }, [isReachable, client]);
  if (isReachable) return null;
  return (
    <div className={styles.bar} role="status">
      <strong>{failure.unreachable}</strong> {failure.unreachableHelp}
    </div>
  );
}
