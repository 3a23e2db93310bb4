import styles from './status-dot.module.css';

interface Props {
  readonly tone: 'good' | 'off' | 'bad';
  readonly word: string;
}

/** A status as a dot and a word, so that it does not depend on colour. */
export function StatusDot({ tone, word }: Props) {
  return (
    <span className={`${styles.status} ${styles[tone]}`}>
      <span className={styles.dot} aria-hidden="true" />
      <span className={styles.word}>{word}</span>
    </span>
  );
}
