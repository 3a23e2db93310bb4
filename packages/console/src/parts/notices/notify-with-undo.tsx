import { Button, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { notifyFailure } from './notify.ts';
import styles from './notify-with-undo.module.css';

const undoMs = 60_000;

/** Says that something was done, and offers for a minute to undo it. */
export function notifyWithUndo(message: string, undoText: string, undo: () => Promise<void>): void {
  const id = notifications.show({
    color: 'accent',
    withBorder: true,
    autoClose: undoMs,
    message: (
      <Undoable message={message} undoText={undoText} undo={undo} onUndone={() => notifications.hide(id)} />
    ),
  });
}

interface Props {
  readonly message: string;
  readonly undoText: string;
  readonly undo: () => Promise<void>;
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
