import type { ReactNode } from 'react';
import styles from './action-bar.module.css';

/** What a form of several parts is about to do, and the button that does it; stays in view below a long form. */
export function ActionBar({ children }: { readonly children: ReactNode }) {
  return <div className={styles.bar}>{children}</div>;
}
