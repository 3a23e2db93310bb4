import { Button, VisuallyHidden } from '@mantine/core';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import styles from './filter-bar.module.css';

interface Props {
  /** The filter that is always in view. */
  readonly first: ReactNode;
  /** How many of the others narrow the list; left out if they are so few that a phone has room for them. */
  readonly inUse?: number;
  /** The other filters. */
  readonly children: ReactNode;
}

/**
 * The search field and the filters of a list: in a line at a desk, in two columns on a phone. There, a button shows and
 * hides the others. They are shown once one of them narrows the list.
 */
export function FilterBar({ first, inUse, children }: Props) {
  const { general } = useTexts();
  const [chosen, setChosen] = useState<boolean>();
  const [wasInUse, setWasInUse] = useState(inUse !== 0);
  // The filters stay in view when the last one in use is cleared, because its field may have the focus.
  if (!wasInUse && inUse !== 0) setWasInUse(true);
  const isOpen = chosen ?? wasInUse;
  const id = useId();
  return (
    <div className={styles.bar}>
      <div className={styles.first}>
        {first}
        {inUse !== undefined && (
          <Button
            className={styles.toggle ?? ''}
            variant="default"
            size="sm"
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => setChosen(!isOpen)}
          >
            <IconAdjustmentsHorizontal size="1rem" aria-hidden="true" />
            <VisuallyHidden>{general.filters(inUse)}</VisuallyHidden>
            {inUse > 0 && (
              <span className={styles.count} aria-hidden="true">
                {inUse}
              </span>
            )}
          </Button>
        )}
      </div>
      <div id={id} className={styles.others} data-closed={!isOpen || undefined}>
        {children}
      </div>
    </div>
  );
}
