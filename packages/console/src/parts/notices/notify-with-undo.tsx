import { Button, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { notifyFailure } from './notify.ts';
import styles from './notify-with-undo.module.css';

const undoMs = 60_000;

interface Done {
  /** The changed things, each by its own key. */
  readonly things: readonly string[];
  readonly message: string;
  readonly undoText: string;
  readonly undo: () => Promise<void>;
}

/** The things that each open notice can change back, by the notice's id. */
const open = new Map<string, readonly string[]>();

/**
 * Says that something was done, and offers for a minute to undo it. Closes an older offer about one of the same things:
 * it would undo the newer change too.
 */
export function notifyWithUndo({ things, message, undoText, undo }: Done): void {
  const changed = new Set(things);
  for (const [older, offered] of open)
    if (offered.some((thing) => changed.has(thing))) notifications.hide(older);
  const id = notifications.show({
    onClose: () => open.delete(id),
    color: 'accent',
    withBorder: true,
    autoClose: undoMs,
    message: (
      <Undoable message={message} undoText={undoText} undo={undo} onUndone={() => notifications.hide(id)} />
    ),
  });
  open.set(id, things);
}

interface Props extends Omit<Done, 'things'> {
  readonly onUndone: () => void;
}

/** Stays until it is undone: after a failure one tries again. */
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
