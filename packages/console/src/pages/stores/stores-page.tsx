import { consoleLimits } from '@fieldroster/contract/console-limits';
import { Button, Skeleton, Stack, Switch, Text } from '@mantine/core';
import { Outlet, useNavigate, useParams } from '@tanstack/react-router';
import { type ReactNode, useCallback, useMemo } from 'react';
import { callDirectory } from '../../api/call.ts';
import { type FoundStore, foundStoresQuery } from '../../api/store-search-query.ts';
import { useCanChange } from '../../api/use-can-change.ts';
import { useInvalidate } from '../../api/use-invalidate.ts';
import { useTexts } from '../../i18n/texts.ts';
import { type Column, DataTable } from '../../parts/data-table/data-table.tsx';
import { EditForm } from '../../parts/fields/edit-form.tsx';
import { FilterBar } from '../../parts/fields/filter-bar.tsx';
import { SearchField } from '../../parts/fields/search-field.tsx';
import { useFilterChange } from '../../parts/fields/use-filter-change.ts';
import { useSlow } from '../../parts/loading/use-slow.ts';
import { EmptyState } from '../../parts/notices/empty-state.tsx';
import { FailureNotice, failureNoticeRem } from '../../parts/notices/failure-notice.tsx';
import { notifyDone } from '../../parts/notices/notify.ts';
import { AddButton } from '../../parts/page/add-button.tsx';
import { FirstEntries } from '../../parts/page/first-entries.tsx';
import { ImportButton } from '../../parts/page/import-button.tsx';
import { PageHeader } from '../../parts/page/page-header.tsx';
import { usePageDialog } from '../../parts/page/use-page-dialog.ts';
import { useListPages } from '../../parts/use-list-pages.ts';
import { useTenant } from '../../parts/use-tenant.ts';
import { countNotLoaded } from '../../parts/values/count-not-loaded.ts';
import { useNumberFormat } from '../../parts/values/use-number-format.ts';
import { StoreRowMenu } from './store-row-menu.tsx';
import { readStoreSearch, type StoreSearch } from './store-search.ts';
import { StoreTotals, useStoreTotal } from './store-totals.tsx';
import { useStoreFields } from './use-store-fields.ts';
import { useStoreSearch } from './use-store-search.ts';

/** The stores of a tenant. */
export function StoresPage() {
  const { stores: texts } = useTexts().targetsPages;
  const canChange = useCanChange();
  const search = useStoreSearch();
  const [adding, add] = usePageDialog();
  const button = canChange && <AddButton onClick={add.open}>{texts.add}</AddButton>;
  return (
    <>
      <PageHeader title={texts.title}>
        {canChange && <ImportButton of="stores" />}
        {button}
      </PageHeader>
      <Stack gap="sm">
        <StoreFilters search={search} />
        <StoreList search={search} add={button} />
      </Stack>
      {adding && <AddStore onClose={add.close} />}
      <Outlet />
    </>
  );
}

function useOpenStore(search: StoreSearch) {
  const tenant = String(useTenant());
  const navigate = useNavigate();
  return useCallback(
    (store: string) => navigate({ to: '/t/$tenant/stores/$store', params: { tenant, store }, search }),
    [navigate, tenant, search],
  );
}

interface ListProps {
  readonly search: StoreSearch;
}

/** The search field, and the choice of stores that nobody looks after. */
function StoreFilters({ search }: ListProps) {
  const { stores: texts } = useTexts().targetsPages;
  const change = useFilterChange(readStoreSearch);
  return (
    <FilterBar
      first={
        <SearchField
          label={texts.searchLabel}
          placeholder={texts.search}
          value={search.search ?? ''}
          onChange={(text) => change({ search: text })}
        />
      }
    >
      <Switch
        label={texts.unassigned}
        checked={search.unassigned ?? false}
        onChange={({ currentTarget }) => change({ unassigned: currentTarget.checked || null })}
      />
    </FilterBar>
  );
}

const storesOf = ({ stores }: { readonly stores: readonly FoundStore[] }) => stores;

function StoreList({ search, add }: ListProps & { readonly add: ReactNode }) {
  const { general, targetsPages } = useTexts();
  const { stores: texts } = targetsPages;
  const tenant = useTenant();
  const open = useOpenStore(search);
  const { store: openKey } = useParams({ strict: false });
  const options = foundStoresQuery(tenant, search);
  const { query, rows, isSearching, loadMore, retry, failure, pageFailure } = useListPages(options, storesOf);
  const { hasNextPage } = query;
  const loaded = { count: rows.length, isMore: hasNextPage };
  const total = useStoreTotal(tenant, search, { ...loaded, isOld: query.isPlaceholderData });
  const columns = useColumns(search);
  const isLoading = query.isPending || isSearching;
  const hasAnswer = failure === null && !isLoading;
  const isSlow = useSlow(failure === null && isSearching);
  const unknown = hasAnswer ? undefined : '';
  return (
    <>
      <StoreTotals
        tenant={tenant}
        search={search}
        loaded={loaded}
        total={total}
        isOld={query.isPlaceholderData}
        instead={isSlow ? general.searching : unknown}
      />
      {failure !== null && <FailureNotice error={failure} onRetry={retry} />}
      {failure === null && isLoading && <Skeleton height={320} />}
      {hasAnswer && rows.length === 0 && <NoStores search={search} add={add} />}
      {hasAnswer && rows.length > 0 && (
        <DataTable
          label={texts.title}
          scrollId="stores"
          columns={columns}
          rows={rows}
          keyOf={({ code }) => code}
          openKey={openKey}
          onEnd={loadMore}
          notLoaded={countNotLoaded(loaded, total)}
          height={`calc(100dvh - ${14.75 + (pageFailure === null ? 0 : failureNoticeRem)}rem)`}
          onOpen={({ code }) => open(code)}
        />
      )}
      {pageFailure !== null && <FailureNotice error={pageFailure} onRetry={retry} />}
    </>
  );
}

function NoStores({ search, add }: ListProps & { readonly add: ReactNode }) {
  const { stores: texts } = useTexts().targetsPages;
  const { users } = useTexts();
  const navigate = useNavigate();
  if (search.search === undefined && search.unassigned === undefined)
    return (
      <EmptyState
        title={texts.empty}
        help={texts.emptyHelp}
        action={<FirstEntries of="stores" add={add} />}
      />
    );
  const clear = (
    <Button variant="default" onClick={() => navigate({ to: '.', search: {} })}>
      {users.clearFilters}
    </Button>
  );
  const isOnlyUnassigned = search.search === undefined;
  return (
    <EmptyState
      title={isOnlyUnassigned ? texts.allAssigned : texts.noneFound}
      help={isOnlyUnassigned ? texts.allAssignedHelp : texts.noneFoundHelp}
      action={clear}
    />
  );
}

const { representativesCountedMax: countedMax } = consoleLimits;

function useColumns(search: StoreSearch): Column<FoundStore>[] {
  const { stores: texts } = useTexts().targetsPages;
  const number = useNumberFormat();
  return useMemo(() => {
    const counted = (count: number) => `${number(count)}${count === countedMax ? '+' : ''}`;
    return [
      {
        key: 'name',
        title: texts.name,
        width: 'minmax(13.75rem, 1.5fr)',
        cell: ({ name }) => (
          <Text size="sm" fw={600} truncate>
            {name}
          </Text>
        ),
      },
      {
        key: 'code',
        title: texts.code,
        width: 'minmax(6.25rem, 0.5fr)',
        isCode: true,
        cell: ({ code }) => code,
      },
      { key: 'address', title: texts.address, width: 'minmax(12.5rem, 2fr)', cell: ({ address }) => address },
      {
        key: 'representatives',
        title: texts.representatives,
        width: '7.5rem',
        isNumber: true,
        needsTitle: true,
        cell: ({ representatives }) =>
          representatives === 0 ? (
            <Text span inherit c="dimmed">
              –
            </Text>
          ) : (
            counted(representatives)
          ),
        narrowCell: ({ representatives }) =>
          representatives === 0 ? texts.nobodyCounted : counted(representatives),
      },
      {
        key: 'actions',
        title: '',
        width: '1.75rem',
        narrowPlace: 'end',
        isActions: true,
        cell: (store) => <StoreRowMenu store={store} search={search} />,
      },
    ];
  }, [texts, search, number]);
}

function AddStore({ onClose }: { readonly onClose: () => void }) {
  const { stores: texts } = useTexts().targetsPages;
  const { code, name, address } = useStoreFields();
  const tenant = useTenant();
  const invalidate = useInvalidate();
  return (
    <EditForm
      title={texts.add}
      action={texts.add}
      fields={[code, name, address]}
      initial={{ code: '', name: '', address: '' }}
      save={(values) => callDirectory('createStore', tenant, values)}
      onSaved={({ name }) => {
        invalidate('stores');
        notifyDone(texts.added(name));
        onClose();
      }}
      onClose={onClose}
    />
  );
}
