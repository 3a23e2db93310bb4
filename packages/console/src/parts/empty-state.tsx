import { Center, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
  readonly title: string;
  readonly help: string;
  /** The first step. */
  readonly action?: ReactNode;
}

/** Says what belongs here, and offers the first step. */
export function EmptyState({ title, help, action }: Props) {
  return (
    <Center py={64} px="md">
      <Stack align="center" gap="xs" maw={420}>
        <Title order={2} ta="center">
          {title}
        </Title>
        <Text c="dimmed" ta="center">
          {help}
        </Text>
        {action}
      </Stack>
    </Center>
  );
}
