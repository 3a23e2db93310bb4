import type { ReactNode } from 'react';
import styles from './fact-list.module.css';

interface Props {
  readonly facts: readonly (readonly [name: string, value: ReactNode])[];
}

/** Lists the facts about an entry: names on the left, values on the right. */
export function FactList({ facts }: Props) {
  return (
    <dl className={styles.list}>
      {facts.map(([name, value]) => (
        <div key={name} className={styles.fact}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
