import { Alert, Button, Group, Stack } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { flushSync } from 'react-dom';
import { useDiscardGuard } from '../fields/use-discard-guard.tsx';

interface Props {
  readonly title: string;
  readonly help: string;
  /** The button by which the reader says that everything is stored. */
  readonly stored: string;
  readonly onStored: () => void;
  /** Other buttons, before that one. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** Shows a secret this once: warns of that, and asks before the reader leaves without having stored it. */
export function ShownOnce({ title, help, stored, onStored, actions, children }: Props) {
  const [isStored, setStored] = useState(false);
  const guard = useDiscardGuard(!isStored, 'shownOnce');
  const leave = () => {
    // Frees the page, which the next step may leave.
    flushSync(() => setStored(true));
    onStored();
  };
  return (
    <Stack gap="md">
      <Alert color="yellow" variant="light" icon={<IconAlertTriangle size="1.125rem" />} title={title}>
        {help}
      </Alert>
      {children}
      <Group justify="flex-end">
        {actions}
        <Button onClick={leave}>{stored}</Button>
      </Group>
      {guard.question}
    </Stack>
  );
}
