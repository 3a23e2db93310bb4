import { Button, Skeleton, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Outlet, useNavigate, useParams } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { sayAnswer } from '../../i18n/say-answer.ts';
import { sayMistakes } from '../../i18n/say-mistakes.ts';
import { useLanguage, useTexts } from '../../i18n/texts.ts';
import { type Column, DataTable } from '../../parts/data-table/data-table.tsx';
import { EmptyState } from '../../parts/notices/empty-state.tsx';
import { FailureNotice, failureNoticeRem } from '../../parts/notices/failure-notice.tsx';
import { PageHeader } from '../../parts/page/page-header.tsx';
import { useHeightProperty } from '../../parts/page/use-height-property.ts';
import { useListPages } from '../../parts/use-list-pages.ts';
import { useTenant } from '../../parts/use-tenant.ts';
import { useCodeText } from '../../parts/values/code-text.ts';
import { RelativeTime } from '../../parts/values/relative-time.tsx';
import { useNumberFormat } from '../../parts/values/use-number-format.ts';
import { Caller } from './caller.tsx';
import { type FailedCall, failedCallsQuery } from './failed-calls-query.ts';
import { RequestFilters } from './request-filters.tsx';
import type { RequestSearch } from './request-search.ts';
import { sayNoCalls } from './say-no-calls.ts';
import { useRequestSearch } from './use-request-search.ts';

/** The recent failed calls, newest first. */
export function RequestsPage() {
  const { requests } = useTexts();
  const tenant = useTenant();
  const search = useRequestSearch();
  const navigate = useNavigate();
  const [clearings, setClearings] = useState(0);
  const clear = (replace: boolean) => {
    setClearings((count) => count + 1);
    navigate({ to: '.', search: {}, replace });
  };
  const [filters, setFilters] = useState<HTMLDivElement | null>(null);
  useHeightProperty(filters, '--fr-filters');
  const { data } = useInfiniteQuery(failedCallsQuery(tenant, search));
  const isNothingFound = data?.pages.every(({ calls }) => calls.length === 0) ?? false;
  return (
    <>
      <PageHeader title={requests.title} />
      <Stack gap="sm">
        <div ref={setFilters}>
          <RequestFilters
            search={search}
            isNothingFound={isNothingFound}
            clearings={clearings}
            onClear={() => clear(true)}
          />
        </div>
        <Text size="xs" c="dimmed">
          {requests.help}
        </Text>
        <FailedCalls search={search} onClear={() => clear(false)} />
      </Stack>
      <Outlet />
    </>
  );
}

interface Props {
  readonly search: RequestSearch;
  readonly onClear: () => void;
}

const callsOf = ({ calls }: { readonly calls: readonly FailedCall[] }) => calls;

function FailedCalls({ search, onClear }: Props) {
  const { requests } = useTexts();
  const tenant = useTenant();
  const navigate = useNavigate();
  const { request: openKey } = useParams({ strict: false });
  const options = failedCallsQuery(tenant, search);
  const { query, rows, loadMore, retry, failure, pageFailure } = useListPages(options, callsOf);
  const columns = useColumns();
  const hasAnswer = failure === null && !query.isPending;
  const isEmpty = hasAnswer && rows.length === 0;
  return (
    <>
      <VisuallyHidden role="status">{isEmpty && sayNoCalls(requests, search).title}</VisuallyHidden>
      {failure !== null && <FailureNotice error={failure} onRetry={retry} />}
      {failure === null && query.isPending && <Skeleton height={320} />}
      {isEmpty && <NoCalls search={search} onClear={onClear} />}
      {hasAnswer && !isEmpty && (
        <DataTable
          label={requests.title}
          scrollId="requests"
          columns={columns}
          rows={rows}
          keyOf={({ request_id }) => request_id}
          openKey={openKey}
          height={`calc(100dvh - var(--fr-filters, 2.25rem) - ${11.5 + (pageFailure === null ? 0 : failureNoticeRem)}rem)`}
          onEnd={loadMore}
          notLoaded={query.hasNextPage ? 'some' : 0}
          onOpen={({ request_id }) =>
            navigate({
              to: '/t/$tenant/requests/$request',
              params: { tenant: String(tenant), request: request_id },
              search,
            })
          }
        />
      )}
      {pageFailure !== null && <FailureNotice error={pageFailure} onRetry={retry} />}
    </>
  );
}

function NoCalls({ search, onClear }: Props) {
  const { requests } = useTexts();
  const clear = Object.keys(search).length > 0 && (
    <Button variant="default" onClick={onClear}>
      {requests.clear}
    </Button>
  );
  return <EmptyState {...sayNoCalls(requests, search)} action={clear} />;
}

function useColumns(): Column<FailedCall>[] {
  const { requests } = useTexts();
  const codeText = useCodeText();
  const number = useNumberFormat({ minimumFractionDigits: 1, maximumFractionDigits: 1 });
  return useMemo(
    () => [
      {
        key: 'code',
        title: requests.codeAndReason,
        width: 'minmax(20rem, 3fr)',
        cell: (call) => (
          <>
            <Text truncate inherit>
              <b>{call.code}</b> {codeText(call.code).meaning}
            </Text>
            <ReasonInList call={call} />
          </>
        ),
      },
      {
        key: 'application',
        title: requests.application,
        width: 'minmax(8.125rem, 0.9fr)',
        cell: (call) => <Caller call={call} />,
      },
      {
        key: 'operation',
        title: requests.operation,
        width: 'minmax(8.125rem, 0.9fr)',
        cell: ({ operation }) => operation || <Quiet>{requests.noOperation}</Quiet>,
      },
      {
        key: 'duration',
        title: requests.duration,
        width: '5rem',
        isNumber: true,
        cell: ({ duration_us }) => requests.milliseconds(number(duration_us / 1000)),
      },
      {
        key: 'at',
        title: requests.at,
        width: '6.25rem',
        isNumber: true,
        narrowPlace: 'side',
        cell: ({ at }) => (
          <Quiet>
            <RelativeTime at={at} />
          </Quiet>
        ),
      },
    ],
    [requests, codeText, number],
  );
}

/**
 * The reason for the failure: the likely cause of a wrong signature, or the answer to the caller. It is in the reader's
 * language, or quotes the words of the interface, which are English.
 */
function ReasonInList({ call }: { readonly call: FailedCall }) {
  const said = useReason(call);
  if (said === undefined) {
    return (
      <Text component="q" lang="en" display="block" truncate size="xs" c="dimmed">
        {call.message}
      </Text>
    );
  }
  return (
    <Text truncate size="xs" c="dimmed">
      {said}
    </Text>
  );
}

function useReason({ code, cause, mistakes, message }: FailedCall): string | undefined {
  const translation = useLanguage();
  const { texts } = translation;
  if (message === '') return texts.requests.erased;
  if (code !== 1014 || cause === '') return sayAnswer(translation, message);
  return texts.requests.likely(sayMistakes(texts.lab, mistakes) ?? cause);
}

function Quiet({ children }: { readonly children: React.ReactNode }) {
  return (
    <Text span inherit c="dimmed">
      {children}
    </Text>
  );
}
