import { Text } from '@mantine/core';
import type { AuditEvent } from '../../api/audit-event.ts';
import { ActorName } from './actor-name.tsx';
import { OperationName } from './operation-name.tsx';
import { RelativeTime } from './relative-time.tsx';

/** Names what was done, when and by whom. */
export function ChangeHeading({ operation, at, actor }: Pick<AuditEvent, 'operation' | 'at' | 'actor'>) {
  return (
    <>
      <Text size="sm" fw={600}>
        <OperationName operation={operation} />
      </Text>
      <Text size="xs" c="dimmed">
        <RelativeTime at={at} /> · <ActorName actor={actor} />
      </Text>
    </>
  );
}
