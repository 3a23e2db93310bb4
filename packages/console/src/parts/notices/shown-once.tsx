import { Alert } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';

interface Props {
  readonly title: string;
  readonly help: string;
}

/** Warns that the secret below is shown only once. */
export function ShownOnce({ title, help }: Props) {
  return (
    <Alert color="yellow" variant="light" icon={<IconAlertTriangle size="1.125rem" />} title={title}>
      {help}
    </Alert>
  );
}
