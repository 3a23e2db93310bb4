import { Button, TextInput } from '@mantine/core';
import { useDebouncedCallback, useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { searchText } from '../../api/search-text.ts';
import { useTexts } from '../../i18n/texts.ts';
import { FilterBar } from '../../parts/fields/filter-bar.tsx';
import { FilterSelect } from '../../parts/fields/filter-select.tsx';
import { useTenant } from '../../parts/use-tenant.ts';
import { applicationsQuery } from '../applications/applications-query.ts';
import { callHistoryQuery } from '../overview/overview-queries.ts';
import type { RequestSearch } from './request-search.ts';

interface Props {
  readonly search: RequestSearch;
}

/** Which failed calls to list. */
export function RequestFilters({ search }: Props) {
  const { requests, codes } = useTexts();
  const tenant = useTenant();
  const navigate = useNavigate();
  const { data: applications = [] } = useQuery(applicationsQuery(tenant));
  const { data: week } = useQuery({ ...callHistoryQuery(tenant, 'week'), refetchInterval: false });
  const operations = [
    ...new Set([...(week?.operations ?? []).map(({ operation }) => operation), search.operation]),
  ]
    .filter((name) => name !== undefined && name !== '')
    .sort();
  const change = (part: Partial<Record<keyof RequestSearch, string | number | null>>) => {
    const next = Object.entries({ ...search, ...part }).filter(([, value]) => value !== null && value !== '');
    navigate({ to: '.', search: Object.fromEntries(next), replace: true });
  };
  return (
    <FilterBar>
      <RequestIdField value={search.request ?? ''} onChange={(request) => change({ request })} />
      <FilterSelect
        label={requests.application}
        data={applications.map(({ app_id, name }) => ({ value: app_id, label: name }))}
        value={search.app}
        onChange={(app) => change({ app })}
      />
      <FilterSelect
        label={requests.operation}
        data={operations as string[]}
        value={search.operation}
        onChange={(operation) => change({ operation })}
      />
      <FilterSelect
        label={requests.code}
        isLong
        data={Object.entries(codes).map(([code, { meaning }]) => ({
          value: code,
          label: `${code} ${meaning}`,
        }))}
        value={search.code?.toString()}
        onChange={(code) => change({ code: code === null ? null : Number(code) })}
      />
      {Object.keys(search).length > 0 && (
        <Button variant="subtle" onClick={() => navigate({ to: '.', search: {}, replace: true })}>
          {requests.clear}
        </Button>
      )}
    </FilterBar>
  );
}

const typingMs = 250;

interface FieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function RequestIdField({ value, onChange }: FieldProps) {
  const { requests } = useTexts();
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(value);
  const report = useDebouncedCallback(onChange, typingMs);
  useHotkeys([['/', () => field.current?.focus()]]);
  useEffect(() => {
    if (document.activeElement !== field.current) setText(value);
  }, [value]);
  return (
    <TextInput
      ref={field}
      type="search"
      aria-label={requests.requestId}
      placeholder={requests.requestId}
      leftSection={<IconSearch size={14} />}
      maxLength={64}
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        report(searchText(currentTarget.value));
      }}
    />
  );
}
