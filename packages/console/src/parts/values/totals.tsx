import { Group, Text, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
  readonly children: ReactNode;
  /** A number that asks for something to be done, with a link to what it counts. */
  readonly more?: ReactNode;
  /** Whether only a screen reader says it, because the notice in place of the list says the same. */
  readonly isHidden?: boolean;
}

/** The line above a list that says how many entries it has. */
export function Totals({ children, more, isHidden = false }: Props) {
  return (
    <Group gap={4} fz="xs" c="dimmed" mih={20}>
      <Text span inherit role="status">
        {isHidden ? <VisuallyHidden>{children}</VisuallyHidden> : children}
      </Text>
      {more !== undefined && (
        <>
          <span aria-hidden="true">·</span>
          {more}
        </>
      )}
    </Group>
  );
}
