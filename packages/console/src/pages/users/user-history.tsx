import { Skeleton, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import type { Id } from '../../api/wire.ts';
import { useTexts } from '../../i18n/texts.ts';
import { FailureNotice } from '../../parts/notices/failure-notice.tsx';
import { useListFailure } from '../../parts/notices/use-list-failure.ts';
import { LoadMore } from '../../parts/page/load-more.tsx';
import { useTenant } from '../../parts/use-tenant.ts';
import { ChangeHeading } from '../../parts/values/change-heading.tsx';
import { ChangeList } from '../../parts/values/change-list.tsx';
import styles from './user-history.module.css';
import { userHistoryQuery } from './user-history-query.ts';

interface Props {
  readonly id: Id;
}

/** The changes of a user, newest first: who made each, and the values before and after. */
export function UserHistory({ id }: Props) {
  const { users } = useTexts();
  const tenant = useTenant();
  const query = useInfiniteQuery(userHistoryQuery(tenant, id));
  const list = useRef<HTMLOListElement>(null);
  const { failure } = useListFailure(query);
  if (failure !== null) return <FailureNotice error={failure} onRetry={() => query.refetch()} />;
  if (query.data === undefined) return <Skeleton height={160} />;
  const events = query.data.pages.flatMap((page) => page.events);
  if (events.length === 0 && !query.hasNextPage) return <Text c="dimmed">{users.noHistory}</Text>;
  return (
    <div>
      <ol className={styles.list} ref={list}>
        {events.map(({ id: eventId, at, operation, actor, changes, colleague }) => (
          <li key={String(eventId)} tabIndex={-1}>
            <ChangeHeading operation={operation} changes={changes} at={at} actor={actor} />
            <ChangeList operation={operation} changes={changes} colleague={colleague} />
          </li>
        ))}
      </ol>
      <LoadMore query={query} list={list} />
    </div>
  );
}
