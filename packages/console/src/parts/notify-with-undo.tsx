import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { notifyFailure } from './notify.ts';

const undoMs = 60_000;

/** Says that something was done, and offers for a minute to undo it. */
export function notifyWithUndo(message: string, undoText: string, undo: () => Promise<void>): void {
  const id = notifications.show({
    color: 'accent',
    withBorder: true,
    autoClose: undoMs,
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">{message}</Text>
        <Button
          variant="subtle"
          onClick={() => {
            notifications.hide(id);
            undo().catch(notifyFailure);
          }}
        >
          {undoText}
        </Button>
      </Group>
    ),
  });
}
