import { type AnyRouter, useRouterState } from '@tanstack/react-router';
import { useSyncExternalStore } from 'react';
import { useTexts } from '../i18n/texts.ts';
import { partsUnderWay } from '../parts/loading/parts-under-way.ts';
import { useSlow } from '../parts/loading/use-slow.ts';
import styles from './loading-bar.module.css';

/**
 * Says that the code of a page or of a dialog is on its way, once that takes noticeably long. The previous page stays,
 * with the text that is typed there.
 */
export function LoadingBar({ router }: { readonly router: AnyRouter }) {
  const { general } = useTexts();
  const isGoingOn = useRouterState({ router, select: ({ isLoading }) => isLoading });
  const parts = useSyncExternalStore(partsUnderWay.subscribe, partsUnderWay.read);
  const isSlow = useSlow(isGoingOn || parts > 0);
  // Screen readers announce what appears in an element that was there before.
  return (
    <div role="status" className={styles.bar}>
      {isSlow && (
        <>
          <span className={styles.line} />
          <span className={styles.word}>{general.loading}</span>
        </>
      )}
    </div>
  );
}
