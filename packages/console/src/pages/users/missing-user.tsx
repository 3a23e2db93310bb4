import { Skeleton, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { AuditEvent } from '../../api/audit-event.ts';
import { CallError } from '../../api/call.ts';
import type { Id } from '../../api/wire.ts';
import { useTexts } from '../../i18n/texts.ts';
import { FailureNotice } from '../../parts/notices/failure-notice.tsx';
import { MissingNotice } from '../../parts/notices/missing-notice.tsx';
import { useTenant } from '../../parts/use-tenant.ts';
import { UserHistory } from './user-history.tsx';
import { userHistoryQuery } from './user-history-query.ts';

const userNotFound = 1101;

export function isUserMissing(error: Error | null): boolean {
  return error instanceof CallError && error.code === userNotFound;
}

interface Props {
  readonly id: Id;
}

/** Stands in place of a user who does not exist. The audit keeps the history of one who was deleted. */
export function MissingUser({ id }: Props) {
  const { users } = useTexts();
  const { data, error, refetch } = useInfiniteQuery(userHistoryQuery(useTenant(), id));
  if (data === undefined)
    return error === null ? (
      <Skeleton height={160} />
    ) : (
      <FailureNotice error={error} onRetry={() => refetch()} />
    );
  const wasDeleted = data.pages[0]?.events.some(isDeletion) ?? false;
  return (
    <Stack gap="md">
      {wasDeleted ? (
        <>
          <MissingNotice title={users.deleted} help={users.deletedHelp} />
          <UserHistory id={id} />
        </>
      ) : (
        <MissingNotice title={users.unknown} help={users.unknownHelp} />
      )}
    </Stack>
  );
}

/** The name that a deleted user had; the number if the audit does not have it. */
export function MissingUserName({ id }: Props) {
  const { audit } = useTexts();
  const { data } = useInfiniteQuery(userHistoryQuery(useTenant(), id));
  const { real_name, username } = data?.pages[0]?.events.find(isDeletion)?.changes ?? {};
  return (
    <Text size="lg" fw={600} span>
      {nameBefore(real_name) ?? nameBefore(username) ?? audit.user(String(id))}
    </Text>
  );
}

function isDeletion({ operation }: AuditEvent): boolean {
  return operation === 'delete-user' || operation === 'user erase';
}

function nameBefore(change: unknown): string | undefined {
  const { from } = (change ?? {}) as { from?: unknown };
  return typeof from === 'string' && from !== '' ? from : undefined;
}
