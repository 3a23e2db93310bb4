import { Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Id } from '../../api/wire.ts';
import { useTexts } from '../../i18n/texts.ts';
import { ActorName } from '../../parts/actor-name.tsx';
import { ChangeList } from '../../parts/change-list.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { OperationName } from '../../parts/operation-name.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { useTenant } from '../../parts/use-tenant.ts';
import { userHistoryQuery } from './user-history-query.ts';

interface Props {
  readonly id: Id;
}

/** What changed of a user and who did it, newest first, with before and after. */
export function UserHistory({ id }: Props) {
  const { users } = useTexts();
  const tenant = useTenant();
  const query = useQuery(userHistoryQuery(tenant, id));
  if (query.isError) return <FailureNotice error={query.error} onRetry={() => query.refetch()} />;
  if (query.data === undefined) return <Skeleton height={160} />;
  if (query.data.events.length === 0) return <Text c="dimmed">{users.noHistory}</Text>;
  return (
    <Stack gap="md">
      {query.data.events.map(({ id: eventId, at, operation, actor, changes }) => (
        <div key={String(eventId)}>
          <Text size="sm" fw={600}>
            <OperationName operation={operation} />
          </Text>
          <Text size="xs" c="dimmed">
            <RelativeTime at={at} /> · <ActorName actor={actor} />
          </Text>
          <ChangeList operation={operation} changes={changes} />
        </div>
      ))}
    </Stack>
  );
}
