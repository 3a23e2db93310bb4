import { Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { useCanChange } from '../../api/use-can-change.ts';
import { ImportLink } from './import-link.tsx';
import type { ImportedKind } from './import-path.ts';

interface Props {
  readonly of: ImportedKind;
  /** The button that adds one entry. */
  readonly add: ReactNode;
}

/** The buttons that an empty list offers to somebody who may fill it: to import a file, or to add one entry. */
export function FirstEntries({ of, add }: Props) {
  if (!useCanChange()) return null;
  return (
    <Group gap="xs" justify="center">
      <ImportLink of={of} />
      {add}
    </Group>
  );
}
