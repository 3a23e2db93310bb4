import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Outlet, useNavigate, useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { type Application, applicationsQuery, lastUsedAt } from '../../api/applications-query.ts';
import { useCanChange } from '../../api/use-can-change.ts';
import { useTexts } from '../../i18n/texts.ts';
import { type Column, DataTable } from '../../parts/data-table/data-table.tsx';
import { EmptyState } from '../../parts/notices/empty-state.tsx';
import { LoadState } from '../../parts/notices/load-state.tsx';
import { AddButton } from '../../parts/page/add-button.tsx';
import { PageHeader } from '../../parts/page/page-header.tsx';
import { usePageDialog } from '../../parts/page/use-page-dialog.ts';
import { useTenant } from '../../parts/use-tenant.ts';
import { RelativeTime } from '../../parts/values/relative-time.tsx';
import { ApplicationStatus } from './application-status.tsx';
import { IssueApplication } from './issue-application.tsx';

/** The applications of a tenant. */
export function ApplicationsPage() {
  const { applications } = useTexts();
  const tenant = useTenant();
  const navigate = useNavigate();
  const canChange = useCanChange();
  const [issuing, issue] = usePageDialog();
  const { application: openKey } = useParams({ strict: false });
  const query = useQuery(applicationsQuery(tenant));
  const columns = useColumns();
  const button = canChange && <AddButton onClick={issue.open}>{applications.issue}</AddButton>;
  const open = ({ app_id }: Pick<Application, 'app_id'>) =>
    navigate({
      to: '/t/$tenant/applications/$application',
      params: { tenant: String(tenant), application: app_id },
    });
  return (
    <>
      <PageHeader title={applications.title}>{button}</PageHeader>
      <LoadState query={query} height={240} />
      {query.data?.length === 0 && (
        <EmptyState title={applications.empty} help={applications.emptyHelp} action={button} />
      )}
      {query.data !== undefined && query.data.length > 0 && (
        <DataTable
          label={applications.title}
          scrollId="applications"
          columns={columns}
          rows={query.data}
          keyOf={({ app_id }) => app_id}
          openKey={openKey}
          height="calc(100dvh - 8.5rem)"
          onOpen={open}
        />
      )}
      {issuing && <IssueApplication onClose={issue.close} />}
      <Outlet />
    </>
  );
}

function useColumns(): Column<Application>[] {
  const { applications, general } = useTexts();
  return useMemo(
    () => [
      {
        key: 'name',
        title: applications.name,
        width: 'minmax(12.5rem, 2fr)',
        cell: ({ name, app_id }) => (
          <Stack gap={0}>
            <Text size="sm" fw={600} truncate>
              {name}
            </Text>
            <Text size="xs" c="dimmed" ff="monospace" truncate>
              {app_id}
            </Text>
          </Stack>
        ),
      },
      {
        key: 'scope',
        title: applications.scope,
        width: 'minmax(6.875rem, 1fr)',
        cell: ({ scope }) => applications.scopes[scope],
      },
      {
        key: 'status',
        title: general.status,
        width: '7.5rem',
        narrowPlace: 'side',
        cell: ({ status }) => <ApplicationStatus status={status} />,
      },
      {
        key: 'secrets',
        title: applications.liveSecrets,
        width: '6.875rem',
        isNumber: true,
        needsTitle: true,
        cell: ({ secrets }) => secrets.length,
      },
      {
        key: 'used',
        title: applications.lastUsed,
        width: '8.75rem',
        isNumber: true,
        needsTitle: true,
        cell: (application) => {
          const at = lastUsedAt(application);
          return (
            <Text span inherit c="dimmed">
              {at === undefined ? applications.never : <RelativeTime at={at} />}
            </Text>
          );
        },
      },
    ],
    [applications, general],
  );
}
