import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';

interface Props {
  readonly onClick: () => void;
  readonly children: ReactNode;
}

/** The button that adds an entry to a list. */
export function AddButton({ onClick, children }: Props) {
  return (
    <Button leftSection={<IconPlus size="0.875rem" />} onClick={onClick}>
      {children}
    </Button>
  );
}
