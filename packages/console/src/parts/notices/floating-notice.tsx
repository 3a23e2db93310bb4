import { Portal } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './floating-notice.module.css';
import { OutdatedNotice } from './outdated-notice.tsx';

/** A notice above the page, which stays usable, where there is no place for one in it. */
export function FloatingNotice({ children }: { readonly children: ReactNode }) {
  return (
    <Portal>
      <div className={styles.floating}>{children}</div>
    </Portal>
  );
}

/** Stands for a missing part of a page, such as a dialog, that has no place of its own in it. */
export function MissingPart() {
  return (
    <FloatingNotice>
      <OutdatedNotice />
    </FloatingNotice>
  );
}
