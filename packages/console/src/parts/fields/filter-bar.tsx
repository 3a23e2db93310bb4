import type { ReactNode } from 'react';
import styles from './filter-bar.module.css';

/** The search field and the filters of a list: in a line at a desk, in two columns on a phone. */
export function FilterBar({ children }: { readonly children: ReactNode }) {
  return <div className={styles.bar}>{children}</div>;
}
