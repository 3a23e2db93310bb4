import { Button, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Outlet, useNavigate, useParams } from '@tanstack/react-router';
import { type ReactNode, useCallback, useMemo } from 'react';
import { callDirectory } from '../../api/call.ts';
import { type Store, storesQuery } from '../../api/directory-lists.ts';
import { useCanChange } from '../../api/use-can-change.ts';
import { useTexts } from '../../i18n/texts.ts';
import { type Column, DataTable } from '../../parts/data-table/data-table.tsx';
import { EditForm } from '../../parts/edit-form.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { notifyDone } from '../../parts/notify.ts';
import { PageHeader } from '../../parts/page-header.tsx';
import { useTenant } from '../../parts/use-tenant.ts';

/** The stores of a tenant. */
export function StoresPage() {
  const { stores: texts } = useTexts().targetsPages;
  const canChange = useCanChange();
  const [adding, add] = useDisclosure(false);
  const button = canChange && (
    <Button leftSection={<IconPlus size={14} />} onClick={add.open}>
      {texts.add}
    </Button>
  );
  return (
    <>
      <PageHeader title={texts.title}>{button}</PageHeader>
      <Stack gap="sm">
        <FindStore />
        <StoreList add={button} />
      </Stack>
      {adding && <AddStore onClose={add.close} />}
      <Outlet />
    </>
  );
}

function useOpenStore() {
  const tenant = String(useTenant());
  const navigate = useNavigate();
  return useCallback(
    (store: string) => navigate({ to: '/t/$tenant/stores/$store', params: { tenant, store } }),
    [navigate, tenant],
  );
}

/** Goes to a store by its code. */
function FindStore() {
  const { stores: texts } = useTexts().targetsPages;
  const open = useOpenStore();
  const form = useForm({ initialValues: { code: '' } });
  return (
    <form
      onSubmit={form.onSubmit(({ code }) => {
        if (code.trim() !== '') open(code.trim());
      })}
    >
      <Group gap="xs">
        <TextInput w={260} aria-label={texts.find} placeholder={texts.find} {...form.getInputProps('code')} />
        <Button type="submit" variant="default">
          {texts.open}
        </Button>
      </Group>
    </form>
  );
}

function StoreList({ add }: { readonly add: ReactNode }) {
  const { stores: texts } = useTexts().targetsPages;
  const tenant = useTenant();
  const open = useOpenStore();
  const { store: openKey } = useParams({ strict: false });
  const query = useInfiniteQuery(storesQuery(tenant));
  const rows = useMemo(() => query.data?.pages.flatMap((page) => page.stores) ?? [], [query.data]);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  const columns = useMemo(
    (): Column<Store>[] => [
      {
        key: 'name',
        title: texts.name,
        width: 'minmax(200px, 1fr)',
        cell: ({ name }) => (
          <Text size="sm" fw={600} truncate>
            {name}
          </Text>
        ),
      },
      { key: 'code', title: texts.code, width: 'minmax(100px, 0.5fr)', cell: ({ code }) => code },
      { key: 'address', title: texts.address, width: 'minmax(200px, 2fr)', cell: ({ address }) => address },
    ],
    [texts],
  );
  if (query.isError) return <FailureNotice error={query.error} onRetry={() => query.refetch()} />;
  if (query.isPending) return <Skeleton height={320} />;
  if (rows.length === 0) return <EmptyState title={texts.empty} help={texts.emptyHelp} action={add} />;
  return (
    <DataTable
      label={texts.title}
      columns={columns}
      rows={rows}
      keyOf={({ code }) => code}
      openKey={openKey}
      onEnd={loadMore}
      onOpen={({ code }) => open(code)}
    />
  );
}

function AddStore({ onClose }: { readonly onClose: () => void }) {
  const { stores: texts } = useTexts().targetsPages;
  const tenant = useTenant();
  const client = useQueryClient();
  return (
    <EditForm
      title={texts.add}
      action={texts.add}
      fields={[
        { name: 'code', label: texts.code, kind: 'line', isRequired: true, charactersMax: 100 },
        { name: 'name', label: texts.name, kind: 'line', isRequired: true, charactersMax: 255 },
        { name: 'address', label: texts.address, kind: 'text', charactersMax: 1000 },
      ]}
      initial={{ code: '', name: '', address: '' }}
      save={(values) => callDirectory('createStore', tenant, values)}
      onSaved={({ name }) => {
        client.invalidateQueries({ queryKey: ['stores'] });
        client.invalidateQueries({ queryKey: ['audit'] });
        notifyDone(texts.added(name));
        onClose();
      }}
      onClose={onClose}
    />
  );
}
