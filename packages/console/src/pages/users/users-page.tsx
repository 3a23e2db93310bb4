import { Button, Group, Menu, Stack } from '@mantine/core';
import { IconArrowsLeftRight, IconDownload } from '@tabler/icons-react';
import { Link, Outlet } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useCanChange } from '../../api/use-can-change.ts';
import { useTexts } from '../../i18n/texts.ts';
import { lazyPart } from '../../parts/loading/lazy-part.tsx';
import { AddButton } from '../../parts/page/add-button.tsx';
import { ImportLink } from '../../parts/page/import-link.tsx';
import { importPath } from '../../parts/page/import-path.ts';
import { NarrowMenu } from '../../parts/page/narrow-menu.tsx';
import { PageHeader } from '../../parts/page/page-header.tsx';
import { usePageDialog } from '../../parts/page/use-page-dialog.ts';
import { useTenant } from '../../parts/use-tenant.ts';
import { ColumnsMenu } from './columns-menu.tsx';
import { useUserSearch } from './use-user-search.ts';
import { useShownColumns } from './user-columns.tsx';
import { UserFilters } from './user-filters.tsx';
import { UserList } from './user-list.tsx';

const AddUser = lazyPart(async () => (await import('./add-user.tsx')).AddUser);
const ExportUsers = lazyPart(async () => (await import('./export/export-users.tsx')).ExportUsers);

/** The list of users, with filters in the address. */
export function UsersPage() {
  const { users } = useTexts();
  const tenant = useTenant();
  const search = useUserSearch();
  const canChange = useCanChange();
  const [adding, addUser] = usePageDialog();
  const [exporting, exportUsers] = usePageDialog();
  const { shown, toggle } = useShownColumns();
  const add = canChange && <AddButton onClick={addUser.open}>{users.add}</AddButton>;
  return (
    <>
      <PageHeader title={users.title}>
        <MoreMenu onExport={exportUsers.open} />
        {add}
      </PageHeader>
      <Stack gap="sm">
        <Group gap="xs" justify="space-between" align="flex-start" wrap="nowrap">
          <UserFilters search={search} />
          <ColumnsMenu shown={shown} onToggle={toggle} />
        </Group>
        <UserList key={String(tenant)} tenant={tenant} search={search} shown={shown} add={add} />
      </Stack>
      <Suspense>
        {adding && <AddUser opened onClose={addUser.close} />}
        {exporting && <ExportUsers search={search} onClose={exportUsers.close} />}
      </Suspense>
      <Outlet />
    </>
  );
}

/** The buttons for work on many users at once. */
function MoreMenu({ onExport }: { readonly onExport: () => void }) {
  const { users, moveStores, importTexts } = useTexts();
  const tenant = useTenant();
  const canChange = useCanChange();
  return (
    <>
      {canChange && (
        <Button
          component={Link}
          to={`/t/${tenant}/move-stores`}
          variant="default"
          leftSection={<IconArrowsLeftRight size="0.875rem" />}
          visibleFrom="sm"
        >
          {moveStores.title}
        </Button>
      )}
      {canChange && <ImportLink of="users" visibleFrom="sm" />}
      <Button
        variant="default"
        leftSection={<IconDownload size="0.875rem" />}
        onClick={onExport}
        visibleFrom="sm"
      >
        {users.export}
      </Button>
      <NarrowMenu hiddenFrom="sm">
        {canChange && (
          <Menu.Item component={Link} to={`/t/${tenant}/move-stores`}>
            {moveStores.title}
          </Menu.Item>
        )}
        {canChange && (
          <Menu.Item component={Link} to={importPath(tenant, 'users')}>
            {importTexts.open}
          </Menu.Item>
        )}
        <Menu.Item onClick={onExport}>{users.export}</Menu.Item>
      </NarrowMenu>
    </>
  );
}
