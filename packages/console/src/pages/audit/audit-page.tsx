import { Button, Group, Select, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import { callDirectory, type DirectoryResult } from '../../api/call.ts';
import { cursorOf } from '../../api/directory-lists.ts';
import { parseId } from '../../api/wire.ts';
import { useTexts } from '../../i18n/texts.ts';
import { ChangeList } from '../../parts/change-list.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { useTenant } from '../../parts/use-tenant.ts';
import { applicationsQuery } from '../applications/applications-query.ts';
import styles from './audit-page.module.css';
import type { AuditSearch } from './audit-search.ts';

type Event = DirectoryResult<'listAuditEvents'>['events'][number];

/** Who changed what, newest first. */
export function AuditPage() {
  const { audit } = useTexts();
  const search = useSearch({ from: '/inside/t/$tenant/audit' });
  return (
    <>
      <PageHeader title={audit.title} />
      <Stack gap="sm">
        <Filters search={search} />
        <Events search={search} />
      </Stack>
    </>
  );
}

interface Props {
  readonly search: AuditSearch;
}

const typingMs = 250;

function Filters({ search }: Props) {
  const { audit } = useTexts();
  const tenant = useTenant();
  const navigate = useNavigate();
  const { data: applications = [] } = useQuery(applicationsQuery(tenant));
  const [operation, setOperation] = useState(search.operation ?? '');
  const change = (part: Partial<Record<keyof AuditSearch, string | null>>) => {
    const next = Object.entries({ ...search, ...part }).filter(([, value]) => value !== null && value !== '');
    navigate({ to: '.', search: Object.fromEntries(next), replace: true });
  };
  const report = useDebouncedCallback((value: string) => change({ operation: value }), typingMs);
  return (
    <Group gap="xs">
      <TextInput
        w={220}
        aria-label={audit.operation}
        placeholder={audit.operation}
        value={operation}
        onChange={({ currentTarget }) => {
          setOperation(currentTarget.value);
          report(currentTarget.value.trim());
        }}
      />
      <Select
        w={220}
        aria-label={audit.application}
        placeholder={audit.application}
        clearable
        searchable
        data={applications.map(({ app_id, name }) => ({ value: app_id, label: name }))}
        value={search.app ?? null}
        onChange={(app) => change({ app })}
      />
      {search.user !== undefined && (
        <Button variant="default" onClick={() => change({ user: null })}>
          {audit.ofUser(search.user)} ×
        </Button>
      )}
    </Group>
  );
}

function Events({ search }: Props) {
  const { audit, general } = useTexts();
  const tenant = useTenant();
  const userId = parseId(search.user);
  const query = useInfiniteQuery({
    queryKey: ['audit', String(tenant), 'list', search],
    initialPageParam: '',
    placeholderData: keepPreviousData,
    queryFn: ({ pageParam, signal }) =>
      callDirectory(
        'listAuditEvents',
        tenant,
        {
          limit: 50,
          ...(search.operation !== undefined && { operation: search.operation }),
          ...(search.app !== undefined && { app_id: search.app }),
          ...(userId !== undefined && { user_id: userId }),
          ...cursorOf(pageParam),
        },
        { signal },
      ),
    getNextPageParam: ({ next_cursor }) => next_cursor || undefined,
  });
  const events = useMemo(() => query.data?.pages.flatMap((page) => page.events) ?? [], [query.data]);
  const { fetchNextPage } = query;
  const more = useCallback(() => fetchNextPage(), [fetchNextPage]);
  if (query.isError) return <FailureNotice error={query.error} onRetry={() => query.refetch()} />;
  if (query.isPending) return <Skeleton height={320} />;
  if (events.length === 0 && !query.hasNextPage) {
    return <EmptyState title={audit.empty} help={audit.emptyHelp} />;
  }
  return (
    <div>
      <ol className={styles.list}>
        {events.map((event) => (
          <li key={String(event.id)} className={styles.event}>
            <EventEntry event={event} />
          </li>
        ))}
      </ol>
      {query.hasNextPage && (
        <Group justify="center" mt="md">
          <Button variant="default" loading={query.isFetchingNextPage} onClick={more}>
            {general.loadMore}
          </Button>
        </Group>
      )}
    </div>
  );
}

function EventEntry({ event }: { readonly event: Event }) {
  const { audit } = useTexts();
  const tenant = useTenant();
  const { data: applications } = useQuery(applicationsQuery(tenant));
  const { at, app_id, operation, user_id, request_id, changes } = event;
  const name = applications?.find((application) => application.app_id === app_id)?.name;
  const user = String(user_id);
  return (
    <>
      <div>
        <Text size="sm" fw={600}>
          {operation}
        </Text>
        <Text size="xs" c="dimmed">
          <RelativeTime at={at} /> · {app_id === '' ? audit.operator : (name ?? app_id)}
        </Text>
        {user !== '0' && (
          <Text size="xs">
            <Link
              to="/t/$tenant/users/$user"
              params={{ tenant: String(tenant), user }}
              className={styles.link}
            >
              {audit.user(user)}
            </Link>
          </Text>
        )}
        {request_id !== '' && (
          <Text size="xs" c="dimmed" ff="monospace">
            {request_id}
          </Text>
        )}
      </div>
      <ChangeList changes={changes} />
    </>
  );
}
