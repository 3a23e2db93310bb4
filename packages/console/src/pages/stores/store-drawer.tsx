import { Skeleton, Stack, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useRef } from 'react';
import { CallError, callDirectory, type DirectoryResult } from '../../api/call.ts';
import { cursorOf } from '../../api/directory-lists.ts';
import { useCanChange } from '../../api/use-can-change.ts';
import { useTexts } from '../../i18n/texts.ts';
import { FailureNotice } from '../../parts/notices/failure-notice.tsx';
import { MissingNotice } from '../../parts/notices/missing-notice.tsx';
import { useListFailure } from '../../parts/notices/use-list-failure.ts';
import { LoadMore } from '../../parts/page/load-more.tsx';
import { PageDrawer } from '../../parts/page/page-drawer.tsx';
import { useTenant } from '../../parts/use-tenant.ts';
import { FactList } from '../../parts/values/fact-list.tsx';
import { StatusDot } from '../../parts/values/status-dot.tsx';
import { AssignRepresentative } from './assign-representative.tsx';
import { StoreActions } from './store-actions.tsx';
import styles from './store-drawer.module.css';
import { useStoreSearch } from './use-store-search.ts';

const storeNotFound = 1401;

/** One store beside the list: its address, and who looks after it. */
export function StoreDrawer() {
  const { stores: texts } = useTexts().targetsPages;
  const tenant = useTenant();
  const navigate = useNavigate();
  const { store: code = '' } = useParams({ strict: false });
  const query = useQuery({
    queryKey: ['store', String(tenant), code],
    queryFn: ({ signal }) => callDirectory('queryStore', tenant, { code }, { signal }),
  });
  const isMissing = query.error instanceof CallError && query.error.code === storeNotFound;
  const search = useStoreSearch();
  const close = () => navigate({ to: '/t/$tenant/stores', params: { tenant: String(tenant) }, search });
  return (
    <PageDrawer title={query.data?.name ?? code} onClose={close} pageTitle={query.data?.name}>
      {isMissing && <MissingNotice title={texts.unknown} help={texts.unknownHelp} />}
      {query.isError && !isMissing && <FailureNotice error={query.error} onRetry={() => query.refetch()} />}
      {query.isPending && <Skeleton height={200} />}
      {query.data !== undefined && !isMissing && <Details key={code} store={query.data} onRemoved={close} />}
    </PageDrawer>
  );
}

interface Props {
  readonly store: DirectoryResult<'queryStore'>;
  readonly onRemoved: () => void;
}

function Details({ store, onRemoved }: Props) {
  const { general, targetsPages } = useTexts();
  const { stores: texts } = targetsPages;
  const tenant = String(useTenant());
  return (
    <Stack gap="lg">
      <StoreActions store={store} onRemoved={onRemoved} />
      <FactList
        facts={[
          [
            texts.code,
            <Text key="code" span inherit ff="monospace">
              {store.code}
            </Text>,
          ],
          [texts.address, store.address || general.none],
        ]}
      />
      <div>
        <Text fw={600} component="h3" mb="xs">
          {texts.whoLooksAfter}
        </Text>
        <Representatives store={store} />
      </div>
      <div>
        <Text fw={600} component="h3" mb="xs">
          {texts.history}
        </Text>
        <Link to="/t/$tenant/audit" params={{ tenant }} search={{ store: store.code }}>
          {texts.showHistory}
        </Link>
      </div>
    </Stack>
  );
}

function Representatives({ store }: Pick<Props, 'store'>) {
  const { general, targetsPages } = useTexts();
  const { code } = store;
  const canChange = useCanChange();
  const tenant = useTenant();
  const query = useInfiniteQuery({
    queryKey: ['store-users', String(tenant), code],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => {
      const page = { store_code: code, limit: 100, ...cursorOf(pageParam) };
      return callDirectory('listStoreUsers', tenant, page, { signal });
    },
    getNextPageParam: ({ next_cursor }) => next_cursor || undefined,
  });
  const list = useRef<HTMLUListElement>(null);
  const { failure } = useListFailure(query);
  if (failure !== null) return <FailureNotice error={failure} onRetry={() => query.refetch()} />;
  if (query.data === undefined) return <Skeleton height={80} />;
  const users = query.data.pages.flatMap((page) => page.users);
  return (
    <>
      {canChange && <AssignRepresentative store={store} users={users} />}
      {users.length === 0 && !query.hasNextPage && <Text c="dimmed">{targetsPages.stores.nobody}</Text>}
      <ul className={styles.list} ref={list}>
        {users.map(({ id, username, real_name, phone, status }) => (
          <li key={String(id)} className={styles.user} tabIndex={-1}>
            <Link to="/t/$tenant/users/$user" params={{ tenant: String(tenant), user: String(id) }}>
              {real_name || username}
            </Link>
            <Text span size="sm" c="dimmed">
              {phone}
            </Text>
            <StatusDot tone={status === 'active' ? 'good' : 'off'} word={general[status]} />
          </li>
        ))}
      </ul>
      <LoadMore query={query} list={list} />
    </>
  );
}
