import styles from './command.module.css';

/** A command for the shell of the server. It is broken into two lines only where one has no room for it. */
export function Command({ children }: { readonly children: string }) {
  return (
    <code className={styles.command} translate="no">
      {children}
    </code>
  );
}
