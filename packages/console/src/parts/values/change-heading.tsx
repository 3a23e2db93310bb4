import { Text } from '@mantine/core';
import type { AuditEvent } from '../../api/audit-event.ts';
import { ActorName } from './actor-name.tsx';
import { OperationName } from './operation-name.tsx';
import { RelativeTime } from './relative-time.tsx';

type Props = Pick<AuditEvent, 'operation' | 'changes' | 'at' | 'actor'>;

/** Names what was done, when and by whom. */
export function ChangeHeading({ operation, changes, at, actor }: Props) {
  return (
    <>
      <Text size="sm" fw={600}>
        <OperationName operation={operation} changes={changes} />
      </Text>
      <Text size="xs" c="dimmed">
        <RelativeTime at={at} /> · <ActorName actor={actor} />
      </Text>
    </>
  );
}
