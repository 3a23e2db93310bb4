import { Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { callDirectory } from '../../api/call.ts';
import type { Id } from '../../api/wire.ts';
import { useTexts } from '../../i18n/texts.ts';
import { ChangeList } from '../../parts/change-list.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { useTenant } from '../../parts/use-tenant.ts';

interface Props {
  readonly id: Id;
}

/** What changed of a user, newest first, with before and after. */
export function UserHistory({ id }: Props) {
  const { users } = useTexts();
  const tenant = useTenant();
  const query = useQuery({
    queryKey: ['audit', String(tenant), 'user', String(id)],
    queryFn: ({ signal }) => callDirectory('listAuditEvents', tenant, { user_id: id, limit: 50 }, { signal }),
  });
  if (query.isError) return <FailureNotice error={query.error} onRetry={() => query.refetch()} />;
  if (query.data === undefined) return <Skeleton height={160} />;
  if (query.data.events.length === 0) return <Text c="dimmed">{users.noHistory}</Text>;
  return (
    <Stack gap="md">
      {query.data.events.map(({ id: eventId, at, operation, app_id, changes }) => (
        <div key={String(eventId)}>
          <Text size="sm" fw={600}>
            {operation}
          </Text>
          <Text size="xs" c="dimmed">
            <RelativeTime at={at} />
            {app_id === '' ? '' : ` · ${app_id}`}
          </Text>
          <ChangeList changes={changes} />
        </div>
      ))}
    </Stack>
  );
}
