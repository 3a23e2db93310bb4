import { Center, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
  readonly title: string;
  /** Level of the title: 1 where it is the title of the page too. */
  readonly titleOrder?: 1 | 2;
  readonly help: string;
  /** The first step. */
  readonly action?: ReactNode;
}

/** Says what belongs here, and offers the first step. */
export function EmptyState({ title, titleOrder = 2, help, action }: Props) {
  return (
    <Center py={64} px="md">
      <Stack align="center" gap="xs" maw={420}>
        <Title order={titleOrder} ta="center">
          {title}
        </Title>
        <Text c="dimmed" ta="center" style={{ textWrap: 'balance' }}>
          {help}
        </Text>
        {action}
      </Stack>
    </Center>
  );
}
