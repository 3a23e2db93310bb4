import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { callDirectory } from '../../api/call.ts';
import { type Role, rolesQuery } from '../../api/directory-lists.ts';
import { useCanChange } from '../../api/use-can-change.ts';
import { useTexts } from '../../i18n/texts.ts';
import { type Column, DataTable } from '../../parts/data-table/data-table.tsx';
import { EmptyState } from '../../parts/notices/empty-state.tsx';
import { LoadState } from '../../parts/notices/load-state.tsx';
import { AddButton } from '../../parts/page/add-button.tsx';
import { FirstEntries } from '../../parts/page/first-entries.tsx';
import { ImportButton } from '../../parts/page/import-button.tsx';
import { PageHeader } from '../../parts/page/page-header.tsx';
import { RemoveTarget } from '../../parts/page/remove-target.tsx';
import { RowMenu } from '../../parts/page/row-menu.tsx';
import { useTenant } from '../../parts/use-tenant.ts';
import { RoleForm } from './role-form.tsx';

type Task = { readonly kind: 'add' } | { readonly kind: 'edit' | 'remove'; readonly role: Role };

/** The roles that users can have. */
export function RolesPage() {
  const { roles: texts } = useTexts().targetsPages;
  const tenant = useTenant();
  const canChange = useCanChange();
  const query = useQuery(rolesQuery(tenant));
  const [task, setTask] = useState<Task>();
  const close = () => setTask(undefined);
  const columns = useColumns(setTask, canChange);
  const button = canChange && <AddButton onClick={() => setTask({ kind: 'add' })}>{texts.add}</AddButton>;
  return (
    <>
      <PageHeader title={texts.title}>
        {canChange && <ImportButton of="roles" />}
        {button}
      </PageHeader>
      <LoadState query={query} height={240} />
      {query.data?.length === 0 && (
        <EmptyState
          title={texts.empty}
          help={texts.emptyHelp}
          action={<FirstEntries of="roles" add={button} />}
        />
      )}
      {query.data !== undefined && query.data.length > 0 && (
        <DataTable
          label={texts.title}
          scrollId="roles"
          columns={columns}
          rows={query.data}
          keyOf={({ id }) => String(id)}
          height="calc(100dvh - 8.5rem)"
          onOpen={canChange ? (role) => setTask({ kind: 'edit', role }) : undefined}
        />
      )}
      {task?.kind === 'remove' && (
        <RemoveTarget
          title={texts.remove}
          name={task.role.name}
          assigned={{ role_id: task.role.id }}
          remove={(force) =>
            callDirectory('deleteRole', tenant, { id: task.role.id, ...(force && { force }) })
          }
          done={texts.removed(task.role.name)}
          staleKeys={['roles', 'users', 'user']}
          onClose={close}
        />
      )}
      {task !== undefined && task.kind !== 'remove' && (
        <RoleForm edited={task.kind === 'edit' ? task.role : undefined} onClose={close} />
      )}
    </>
  );
}

function useColumns(onTask: (task: Task) => void, canChange: boolean): Column<Role>[] {
  const { roles: texts } = useTexts().targetsPages;
  const tenant = String(useTenant());
  return useMemo(
    () => [
      {
        key: 'name',
        title: texts.name,
        width: 'minmax(11.25rem, 1fr)',
        cell: ({ name }) => (
          <Text size="sm" fw={600} truncate>
            {name}
          </Text>
        ),
      },
      {
        key: 'code',
        title: texts.code,
        width: 'minmax(6.25rem, 0.6fr)',
        isCode: true,
        cell: ({ code }) => code ?? '',
      },
      {
        // A file of users names roles by it.
        key: 'id',
        title: 'ID',
        width: 'minmax(2.5rem, 0.4fr)',
        isCode: true,
        needsTitle: true,
        cell: ({ id }) => String(id),
      },
      {
        key: 'description',
        title: texts.description,
        width: 'minmax(10rem, 2fr)',
        hasTwoLines: true,
        cell: ({ description }) => description,
      },
      {
        key: 'users',
        title: texts.users,
        width: '5.5rem',
        narrowPlace: 'side',
        cell: ({ id }) => (
          <Link
            to="/t/$tenant/users"
            params={{ tenant }}
            search={{ role: String(id) }}
            onClick={(event) => event.stopPropagation()}
          >
            {texts.showUsers}
          </Link>
        ),
      },
      {
        key: 'actions',
        title: '',
        width: '2rem',
        narrowPlace: 'end',
        isActions: true,
        cell: (role) =>
          canChange && (
            <RowMenu
              of={role.name}
              items={[
                { label: texts.edit, run: () => onTask({ kind: 'edit', role }) },
                { label: texts.remove, run: () => onTask({ kind: 'remove', role }), deletes: true },
              ]}
            />
          ),
      },
    ],
    [texts, tenant, canChange, onTask],
  );
}
