import { Portal } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './floating-notice.module.css';
import { OutdatedNotice } from './outdated-notice.tsx';

/** Shows a notice that has no place in the page above it; the page stays usable. */
export function FloatingNotice({ children }: { readonly children: ReactNode }) {
  return (
    <Portal>
      <div className={styles.floating}>{children}</div>
    </Portal>
  );
}

/** Shown in place of a part that cannot be loaded and has no place in the page, such as a dialog. */
export function MissingPart() {
  return (
    <FloatingNotice>
      <OutdatedNotice />
    </FloatingNotice>
  );
}
