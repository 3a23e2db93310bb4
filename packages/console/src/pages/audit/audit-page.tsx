import { Button, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import type { AuditEvent } from '../../api/audit-event.ts';
import { useSession } from '../../api/session.ts';
import { useTexts } from '../../i18n/texts.ts';
import { EmptyState } from '../../parts/notices/empty-state.tsx';
import { FailureNotice } from '../../parts/notices/failure-notice.tsx';
import { useListFailure } from '../../parts/notices/use-list-failure.ts';
import { LoadMore } from '../../parts/page/load-more.tsx';
import { PageHeader } from '../../parts/page/page-header.tsx';
import { useTenant } from '../../parts/use-tenant.ts';
import { AuditedUser, isAboutUser } from '../../parts/values/audited-user.tsx';
import { ChangeHeading } from '../../parts/values/change-heading.tsx';
import { ChangeList } from '../../parts/values/change-list.tsx';
import { AuditFilters } from './audit-filters.tsx';
import styles from './audit-page.module.css';
import { auditQuery } from './audit-query.ts';
import { type AuditSearch, readAuditSearch } from './audit-search.ts';
import { ExportAudit } from './export-audit.tsx';

/** Who changed what, newest first. */
export function AuditPage() {
  const { audit } = useTexts();
  const tenant = useTenant();
  const search = useSearch({
    from: '/inside/t/$tenant/audit',
    select: (parts) => readAuditSearch({ ...parts }),
    structuralSharing: true,
  });
  const navigate = useNavigate();
  const [clearings, setClearings] = useState(0);
  const clear = (replace: boolean) => {
    setClearings((count) => count + 1);
    navigate({ to: '.', search: {}, replace });
  };
  const { operator } = useSession();
  const { data, hasNextPage } = useInfiniteQuery(auditQuery(tenant, search));
  const isNothingFound =
    data !== undefined && !hasNextPage && data.pages.every(({ events }) => events.length === 0);
  const seesDeployment = operator.role === 'owner' && operator.all_tenants;
  return (
    <>
      <PageHeader title={audit.title}>
        {seesDeployment && <Reach of={search.of} />}
        <ExportAudit search={search} />
      </PageHeader>
      <Stack gap="sm">
        {search.of === undefined && (
          <AuditFilters
            search={search}
            operators={data?.pages[0]?.operators ?? []}
            events={data?.pages[0]?.events ?? []}
            isNothingFound={isNothingFound}
            clearings={clearings}
            onClear={() => clear(true)}
          />
        )}
        <Events search={search} onClear={() => clear(false)} />
      </Stack>
    </>
  );
}

function Reach({ of }: { readonly of: AuditSearch['of'] }) {
  const { audit } = useTexts();
  const navigate = useNavigate();
  return (
    <SegmentedControl
      size="xs"
      aria-label={audit.reach}
      data={[
        { value: 'tenant', label: audit.ofTenant },
        { value: 'deployment', label: audit.ofDeployment },
      ]}
      value={of ?? 'tenant'}
      onChange={(value) =>
        navigate({ to: '.', search: value === 'deployment' ? { of: 'deployment' } : {}, replace: true })
      }
    />
  );
}

interface Props {
  readonly search: AuditSearch;
  readonly onClear: () => void;
}

function Events({ search, onClear }: Props) {
  const { audit } = useTexts();
  const tenant = useTenant();
  const query = useInfiniteQuery(auditQuery(tenant, search));
  const list = useRef<HTMLOListElement>(null);
  const { failure } = useListFailure(query);
  if (failure !== null) return <FailureNotice error={failure} onRetry={() => query.refetch()} />;
  if (query.data === undefined) return <Skeleton height={320} />;
  const events = query.data.pages.flatMap((page) => page.events);
  if (events.length === 0 && !query.hasNextPage) return <NoEvents search={search} onClear={onClear} />;
  return (
    <div>
      {events.length === 0 && <Text c="dimmed">{audit.searching}</Text>}
      <ol className={styles.list} ref={list}>
        {events.map((event) => (
          <li key={String(event.id)} className={styles.event} tabIndex={-1}>
            <EventEntry event={event} />
          </li>
        ))}
      </ol>
      <LoadMore query={query} list={list} />
    </div>
  );
}

function NoEvents({ search, onClear }: Props) {
  const { audit } = useTexts();
  if (search.of === 'deployment') return <EmptyState title={audit.empty} help={audit.deploymentEmptyHelp} />;
  if (Object.keys(search).length === 0) return <EmptyState title={audit.empty} help={audit.emptyHelp} />;
  const clear = (
    <Button variant="default" onClick={onClear}>
      {audit.clear}
    </Button>
  );
  if (isOnlyStore(search))
    return <EmptyState title={audit.noneOfStore} help={audit.noneOfStoreHelp} action={clear} />;
  return <EmptyState title={audit.noneFound} help={audit.noneFoundHelp} action={clear} />;
}

function isOnlyStore({ store, ...others }: AuditSearch): boolean {
  return store !== undefined && Object.keys(others).length === 0;
}

function EventEntry({ event }: { readonly event: AuditEvent }) {
  const { requests } = useTexts();
  const { at, actor, operation, request_id, changes } = event;
  return (
    <>
      <div>
        <ChangeHeading operation={operation} changes={changes} at={at} actor={actor} />
        {isAboutUser(event) && (
          <Text size="xs" component="div">
            <AuditedUser {...event} />
          </Text>
        )}
        {request_id !== '' && (
          <Text size="xs" c="dimmed">
            {requests.requestId}{' '}
            <Text span inherit ff="monospace">
              {request_id}
            </Text>
          </Text>
        )}
      </div>
      <ChangeList operation={operation} changes={changes} colleague={event.colleague} />
    </>
  );
}
