import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { callConsole } from '../../api/call.ts';
import { reachability } from '../../api/reachability.ts';
import { useTexts } from '../../i18n/texts.ts';
import { useHeightProperty } from '../../parts/page/use-height-property.ts';
import styles from './connection-bar.module.css';

const askEveryMs = 2_000;

/** Says above the page that the server does not answer, for as long as it does not. The page makes room for it. */
export function ConnectionBar() {
  const { failure } = useTexts();
  const client = useQueryClient();
  const isReachable = useSyncExternalStore(reachability.subscribe, reachability.read);
  useEffect(() => {
    if (isReachable) return;
    // Any answer ends the bar, a refusal too.
    const timer = setInterval(() => callConsole('querySession', {}).catch(() => {}), askEveryMs);
    return () => {
      clearInterval(timer);
      // Leaves pending calls alone. If they started again at each answer, one that keeps failing would never give up.
      client.invalidateQueries({}, { cancelRefetch: false });
    };
  }, [isReachable, client]);
  const [bar, setBar] = useState<HTMLDivElement | null>(null);
  useHeightProperty(bar, '--fr-bar');
  if (isReachable) return null;
  return (
    <div ref={setBar} className={styles.bar} role="status">
      <strong>{failure.unreachable}</strong> {failure.unreachableHelp}
    </div>
  );
}
