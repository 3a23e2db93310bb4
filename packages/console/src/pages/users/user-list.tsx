import { Button, Skeleton } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { type ReactNode, Suspense, useMemo, useState, useSyncExternalStore } from 'react';
import { useCanChange } from '../../api/use-can-change.ts';
import { nameOf } from '../../api/user-search-query.ts';
import type { Id } from '../../api/wire.ts';
import { useTexts } from '../../i18n/texts.ts';
import { DataTable, type Selection } from '../../parts/data-table/data-table.tsx';
import { lazyPart } from '../../parts/loading/lazy-part.tsx';
import { useSlow } from '../../parts/loading/use-slow.ts';
import { EmptyState } from '../../parts/notices/empty-state.tsx';
import { FailureNotice, failureNoticeRem } from '../../parts/notices/failure-notice.tsx';
import { FirstEntries } from '../../parts/page/first-entries.tsx';
import { useListPages } from '../../parts/use-list-pages.ts';
import { countNotLoaded } from '../../parts/values/count-not-loaded.ts';
import { removedUsers } from './removed-users.ts';
import { type UserColumnKey, useUserColumns } from './user-columns.tsx';
import { type ListedUser, userListQuery } from './user-list-query.ts';
import type { UserSearch } from './user-search.ts';
import { UserTotals, useUserTotal } from './user-totals.tsx';

const BulkBar = lazyPart(async () => (await import('./bulk/bulk-bar.tsx')).BulkBar);

interface Props {
  readonly tenant: Id;
  readonly search: UserSearch;
  readonly shown: readonly UserColumnKey[];
  readonly add: ReactNode;
}

/** The users that match the filters; some can be selected to be changed together. */
export function UserList({ tenant, search, shown, add }: Props) {
  const { users, general } = useTexts();
  const navigate = useNavigate();
  const { user: openUser } = useParams({ strict: false });
  const { query, rows, isMore, isSearching, loadMore, retry, failure, pageFailure } = useUsers(
    tenant,
    search,
  );
  const isSlow = useSlow(query.isPlaceholderData || (failure === null && isSearching));
  const { chosen, selection, clear } = useSelection();
  const canChange = useCanChange();
  const loaded = { count: rows.length, isMore };
  const total = useUserTotal(tenant, search, { ...loaded, isOld: query.isPlaceholderData });
  const columns = useUserColumns(shown, search);
  const isLoading = query.isPending || isSearching;
  const hasAnswer = failure === null && !isLoading;
  const isEmpty = rows.length === 0 && !isMore && !query.isPlaceholderData;
  const unknown = hasAnswer ? undefined : '';
  return (
    <>
      <UserTotals
        tenant={tenant}
        search={search}
        loaded={loaded}
        total={total}
        isOld={query.isPlaceholderData}
        instead={isSlow ? general.searching : unknown}
      />
      {failure !== null && <FailureNotice error={failure} onRetry={retry} />}
      {failure === null && isLoading && <Skeleton height={320} />}
      {hasAnswer && isEmpty && <NoUsers search={search} add={add} />}
      {hasAnswer && !isEmpty && (
        <DataTable
          label={users.title}
          scrollId="users"
          columns={columns}
          rows={rows}
          keyOf={({ id }) => String(id)}
          openKey={openUser}
          onEnd={loadMore}
          notLoaded={countNotLoaded(loaded, total)}
          selection={canChange ? selection : undefined}
          height={`calc(100dvh - ${14.75 + (chosen.length > 0 ? 3.5 : 0) + (search.changed === undefined ? 0 : 2.375) + (pageFailure === null ? 0 : failureNoticeRem)}rem)`}
          onOpen={({ id }) =>
            navigate({
              to: '/t/$tenant/users/$user',
              params: { tenant: String(tenant), user: String(id) },
              search,
            })
          }
        />
      )}
      {pageFailure !== null && <FailureNotice error={pageFailure} onRetry={retry} />}
      {hasAnswer && !isEmpty && chosen.length > 0 && (
        <Suspense>
          <BulkBar users={chosen} onClear={clear} />
        </Suspense>
      )}
    </>
  );
}

const usersOf = ({ users }: { readonly users: readonly ListedUser[] }) => users;

function useUsers(tenant: Id, search: UserSearch) {
  const options = { ...userListQuery(tenant, search), placeholderData: keepPreviousData };
  const { query, ...list } = useListPages(options, usersOf);
  // Until new rows arrive, those of the previous search stay, and `hasNextPage` is about the new ones already.
  const isMore = Boolean(query.data?.pages.at(-1)?.next_cursor);
  return { query, isMore, ...list };
}

/** Keeps who is selected, even while other filters hide some of them. */
function useSelection() {
  const { users } = useTexts();
  const [ticked, setChosen] = useState<ReadonlyMap<string, ListedUser>>(new Map());
  const removed = useSyncExternalStore(removedUsers.subscribe, removedUsers.read);
  const chosen = useMemo(() => new Map([...ticked].filter(([id]) => !removed.has(id))), [ticked, removed]);
  const selection = useMemo(
    (): Selection<ListedUser> => ({
      isSelected: ({ id }) => chosen.has(String(id)),
      toggle: (rows, isSelected) => {
        const next = new Map(chosen);
        for (const row of rows) {
          if (isSelected) next.set(String(row.id), row);
          else next.delete(String(row.id));
        }
        setChosen(next);
      },
      allLabel: users.selectAll,
      labelOf: (user) => users.select(nameOf(user)),
    }),
    [chosen, users],
  );
  const list = useMemo(() => [...chosen.values()], [chosen]);
  return { chosen: list, selection, clear: () => setChosen(new Map()) };
}

function NoUsers({ search, add }: Pick<Props, 'search' | 'add'>) {
  const { users } = useTexts();
  const navigate = useNavigate();
  const isFiltered = Object.keys(search).length > 0;
  if (!isFiltered)
    return (
      <EmptyState title={users.empty} help={users.emptyHelp} action={<FirstEntries of="users" add={add} />} />
    );
  const clear = (
    <Button variant="default" onClick={() => navigate({ to: '.', search: {} })}>
      {users.clearFilters}
    </Button>
  );
  return <EmptyState title={users.noneFound} help={users.noneFoundHelp} action={clear} />;
}
