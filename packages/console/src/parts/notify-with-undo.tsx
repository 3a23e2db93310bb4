import { Button, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
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
      <div className={styles.notification}>
        <Text size="sm" className={styles.message ?? ''}>
          {message}
        </Text>
        <Button
          variant="default"
          className={styles.undo ?? ''}
          onClick={() => {
            notifications.hide(id);
            undo().catch(notifyFailure);
          }}
        >
          {undoText}
        </Button>
      </div>
    ),
  });
}
