import { type ReactNode, useState } from 'react';
import styles from './action-bar.module.css';
import { useHeightProperty } from './use-height-property.ts';

/** Says what a form of several parts will do, beside the button that does it. It stays in view below a long form. */
export function ActionBar({ children }: { readonly children: ReactNode }) {
  const [bar, setBar] = useState<HTMLDivElement | null>(null);
  useHeightProperty(bar, '--fr-actions');
  return (
    <div ref={setBar} className={styles.bar}>
      {children}
    </div>
  );
}
