import { Alert, Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTexts } from '../../i18n/texts.ts';

/** Stands for a part of the console that the server does not have, or no longer. */
export function OutdatedNotice() {
  const { failure } = useTexts();
  return (
    <Alert
      color="red"
      variant="light"
      role="alert"
      icon={<IconAlertTriangle size="1.125rem" />}
      title={failure.outdated}
    >
      <Text size="sm">{failure.outdatedHelp}</Text>
      <Group mt="xs">
        <Button variant="default" onClick={() => location.reload()}>
          {failure.reload}
        </Button>
      </Group>
    </Alert>
  );
}
