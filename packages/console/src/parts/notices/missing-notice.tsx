import { Alert } from '@mantine/core';

interface Props {
  readonly title: string;
  readonly help: string;
}

/** Stands for an entry that does not exist: nothing failed, and trying again does not help. */
export function MissingNotice({ title, help }: Props) {
  return (
    <Alert color="yellow" variant="light" title={title}>
      {help}
    </Alert>
  );
}
