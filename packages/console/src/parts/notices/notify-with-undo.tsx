import { Button, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { notify, notifyFailure } from './notify.ts';
import styles from './notify-with-undo.module.css';

const undoMs = 60_000;

interface Offer {
  /** What was changed, each with the thing that it belongs to: `status of user 5`. */
  readonly keys: readonly string[];
  readonly message: string;
  readonly undoText: string;
  readonly undo: () => Promise<void>;
}

/** The keys of each offer that is still shown, by the id of its notice. */
const openOffers = new Map<string, readonly string[]>();

/**
 * Says that something was done, and offers for a minute to undo it. Closes an older offer with one of the same keys: it
 * would undo the newer change too.
 */
export function notifyWithUndo({ keys, message, undoText, undo }: Offer): void {
  const changed = new Set(keys);
  closeOffers((key) => changed.has(key));
  const id = notify({
    onClose: () => openOffers.delete(id),
    color: 'accent',
    withBorder: true,
    autoClose: undoMs,
    classNames: { root: styles.root ?? '', body: styles.body ?? '' },
    message: (
      <Undoable message={message} undoText={undoText} undo={undo} onUndone={() => notifications.hide(id)} />
    ),
  });
  openOffers.set(id, keys);
}

/**
 * Closes the offers to undo a change of a thing, such as `user 5`. Call it after a change that offers no undo itself, and
 * after a deletion.
 */
export function closeOffersAbout(thing: string): void {
  closeOffers((key) => key.startsWith(`${thing} of `) || key.endsWith(` of ${thing}`));
}

function closeOffers(isOutdated: (key: string) => boolean): void {
  for (const [id, keys] of openOffers) if (keys.some(isOutdated)) notifications.hide(id);
}

interface Props extends Omit<Offer, 'keys'> {
  readonly onUndone: () => void;
}

/** Stays open when the undo fails, so that the operator can try again. */
function Undoable({ message, undoText, undo, onUndone }: Props) {
  const [isUndoing, setUndoing] = useState(false);
  const run = () => {
    setUndoing(true);
    undo()
      .then(onUndone, notifyFailure)
      .finally(() => setUndoing(false));
  };
  return (
    <div className={styles.notification}>
      <Text size="sm" className={styles.message ?? ''}>
        {message}
      </Text>
      <Button variant="default" className={styles.undo ?? ''} loading={isUndoing} onClick={run}>
        {undoText}
      </Button>
    </div>
  );
}
