import { Button, Skeleton, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconArrowsLeftRight, IconFileImport, IconPlus } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link, Outlet, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { type ReactNode, useCallback, useMemo } from 'react';
import { callDirectory, type DirectoryResult } from '../../api/call.ts';
import { cursorOf } from '../../api/directory-lists.ts';
import { useCanChange } from '../../api/use-can-change.ts';
import type { Id } from '../../api/wire.ts';
import { parseId } from '../../api/wire.ts';
import { useTexts } from '../../i18n/texts.ts';
import { type Column, DataTable } from '../../parts/data-table/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { StatusDot } from '../../parts/status-dot.tsx';
import { useTenant } from '../../parts/use-tenant.ts';
import { AddUser } from './add-user.tsx';
import { UserFilters } from './user-filters.tsx';
import type { UserSearch } from './user-search.ts';

type User = DirectoryResult<'listUsers'>['users'][number];

/** The list of users, with filters in the address. */
export function UsersPage() {
  const { users, moveStores, importTexts } = useTexts();
  const tenant = useTenant();
  const search = useSearch({ from: '/inside/t/$tenant/users' });
  const canChange = useCanChange();
  const [adding, addUser] = useDisclosure(false);
  const add = canChange && (
    <Button leftSection={<IconPlus size={14} />} onClick={addUser.open}>
      {users.add}
    </Button>
  );
  return (
    <>
      <PageHeader title={users.title}>
        {canChange && (
          <Button
            component={Link}
            to={`/t/${tenant}/move-stores`}
            variant="default"
            leftSection={<IconArrowsLeftRight size={14} />}
          >
            {moveStores.title}
          </Button>
        )}
        {canChange && (
          <Button
            component={Link}
            to={`/t/${tenant}/import`}
            variant="default"
            leftSection={<IconFileImport size={14} />}
          >
            {importTexts.open}
          </Button>
        )}
        {add}
      </PageHeader>
      <Stack gap="sm">
        <UserFilters search={search} />
        <UserList tenant={tenant} search={search} add={add} />
      </Stack>
      <AddUser opened={adding} onClose={addUser.close} />
      <Outlet />
    </>
  );
}

interface ListProps {
  readonly tenant: Id;
  readonly search: UserSearch;
  readonly add: ReactNode;
}

function UserList({ tenant, search, add }: ListProps) {
  const { users } = useTexts();
  const navigate = useNavigate();
  const { user: openUser } = useParams({ strict: false });
  const query = useInfiniteQuery({
    queryKey: ['users', String(tenant), search],
    initialPageParam: '',
    placeholderData: keepPreviousData,
    queryFn: ({ pageParam, signal }) =>
      callDirectory(
        'listUsers',
        tenant,
        { ...toFilters(search), limit: 100, ...cursorOf(pageParam) },
        { signal },
      ),
    getNextPageParam: ({ next_cursor }) => next_cursor || undefined,
  });
  const rows = useMemo(() => query.data?.pages.flatMap((page) => page.users) ?? [], [query.data]);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  const columns = useColumns();
  if (query.isError) return <FailureNotice error={query.error} onRetry={() => query.refetch()} />;
  if (query.isPending) return <Skeleton height={320} />;
  if (rows.length === 0 && !hasNextPage) return <NoUsers search={search} add={add} />;
  return (
    <DataTable
      label={users.title}
      columns={columns}
      rows={rows}
      keyOf={({ id }) => String(id)}
      openKey={openUser}
      hasTwoLines
      onEnd={loadMore}
      onOpen={({ id }) =>
        navigate({
          to: '/t/$tenant/users/$user',
          params: { tenant: String(tenant), user: String(id) },
          search,
        })
      }
    />
  );
}

function NoUsers({ search, add }: Pick<ListProps, 'search' | 'add'>) {
  const { users } = useTexts();
  const navigate = useNavigate();
  const isFiltered = Object.keys(search).length > 0;
  if (!isFiltered) return <EmptyState title={users.empty} help={users.emptyHelp} action={add} />;
  const clear = (
    <Button variant="default" onClick={() => navigate({ to: '.', search: {} })}>
      {users.clearFilters}
    </Button>
  );
  return <EmptyState title={users.noneFound} help={users.noneFoundHelp} action={clear} />;
}

function useColumns(): Column<User>[] {
  const { users, general } = useTexts();
  return useMemo(
    () => [
      {
        key: 'name',
        title: users.realName,
        width: 'minmax(180px, 2fr)',
        cell: ({ real_name, username }) => (
          <Stack gap={0}>
            <Text size="sm" fw={600} truncate>
              {real_name || username}
            </Text>
            <Text size="xs" c="dimmed" truncate>
              {username}
            </Text>
          </Stack>
        ),
      },
      {
        key: 'role',
        title: users.role,
        width: 'minmax(120px, 1.2fr)',
        cell: ({ roles }) => roles[0]?.name ?? <Quiet>–</Quiet>,
      },
      {
        key: 'org',
        title: users.org,
        width: 'minmax(120px, 1.2fr)',
        cell: ({ orgs }) => orgs[0]?.name ?? <Quiet>–</Quiet>,
      },
      { key: 'phone', title: users.phone, width: 'minmax(130px, 1fr)', cell: ({ phone }) => phone },
      {
        key: 'code',
        title: users.uniqueCode,
        width: 'minmax(90px, 0.7fr)',
        cell: ({ unique_code }) => unique_code,
      },
      {
        key: 'status',
        title: general.status,
        width: '110px',
        cell: ({ status }) => (
          <StatusDot tone={status === 'active' ? 'good' : 'off'} word={general[status]} />
        ),
      },
      {
        key: 'updated',
        title: general.updatedAt,
        width: '110px',
        isNumber: true,
        cell: ({ updated_at }) => (
          <Text span size="sm" c="dimmed">
            <RelativeTime at={updated_at} />
          </Text>
        ),
      },
    ],
    [users, general],
  );
}

function Quiet({ children }: { readonly children: ReactNode }) {
  return (
    <Text span c="dimmed">
      {children}
    </Text>
  );
}

function toFilters({ search, role, org, store, missing, status }: UserSearch) {
  const [roleId, orgId] = [parseId(role), parseId(org)];
  return {
    ...(search !== undefined && { search }),
    ...(roleId !== undefined && { role_id: roleId }),
    ...(orgId !== undefined && { org_id: orgId, include_children: true }),
    ...(store !== undefined && { store_code: store }),
    ...(missing !== undefined && { unbound: missing }),
    ...(status !== undefined && { status }),
  };
}
