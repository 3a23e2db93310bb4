import { Group, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTitle } from './use-title.ts';

interface Props {
  readonly title: string;
  /** The page's actions. */
  readonly children?: ReactNode;
}

/** The title of a page, with its actions on the right. It is also the title of the browser's tab. */
export function PageHeader({ title, children }: Props) {
  useTitle(title);
  return (
    <Group justify="space-between" mb="md" gap="xs" mih={30}>
      <Title order={1}>{title}</Title>
      <Group gap="xs">{children}</Group>
    </Group>
  );
}
