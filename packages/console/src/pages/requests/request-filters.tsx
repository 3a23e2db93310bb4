import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { applicationOptions, applicationsQuery } from '../../api/applications-query.ts';
import { callHistoryQuery } from '../../api/call-history-query.ts';
import { useTexts } from '../../i18n/texts.ts';
import { countFilters } from '../../parts/fields/count-filters.ts';
import { DayFilters } from '../../parts/fields/day-filters.tsx';
import { FilterBar } from '../../parts/fields/filter-bar.tsx';
import { FilterSelect } from '../../parts/fields/filter-select.tsx';
import { SearchField } from '../../parts/fields/search-field.tsx';
import { useFilterChange } from '../../parts/fields/use-filter-change.ts';
import { useTenant } from '../../parts/use-tenant.ts';
import { type RequestSearch, readRequestSearch } from './request-search.ts';

interface Props {
  readonly search: RequestSearch;
  /** Whether no call matches. The notice in place of the list then offers to clear the filters. */
  readonly isNothingFound: boolean;
  /** How often the filters were cleared. Each time, the days begin empty: an incomplete one is not in the address. */
  readonly clearings: number;
  readonly onClear: () => void;
}

/** The filters of the list of failed calls. */
export function RequestFilters({ search, isNothingFound, clearings, onClear }: Props) {
  const { requests, codes } = useTexts();
  const tenant = useTenant();
  const applications = useQuery(applicationsQuery(tenant));
  const { data: week } = useQuery({ ...callHistoryQuery(tenant, 'week'), refetchInterval: false });
  const operations = [
    ...new Set([...(week?.operations ?? []).map(({ operation }) => operation), search.operation ?? '']),
  ]
    .filter((name) => name !== '')
    .sort();
  const change = useFilterChange(readRequestSearch);
  return (
    <FilterBar
      first={
        <SearchField
          label={requests.requestId}
          placeholder={requests.requestId}
          charactersMax={64}
          value={search.request ?? ''}
          onChange={(request) => change({ request })}
        />
      }
      inUse={countFilters(search, 'request')}
    >
      <FilterSelect
        label={requests.application}
        query={applications}
        options={applicationOptions(applications.data)}
        value={search.app}
        onChange={(app) => change({ app })}
      />
      <FilterSelect
        label={requests.operation}
        options={operations.map((name) => ({ value: name, label: name }))}
        value={search.operation}
        onChange={(operation) => change({ operation })}
      />
      <FilterSelect
        label={requests.code}
        isLong
        options={Object.entries(codes).map(([code, { meaning }]) => ({
          value: code,
          label: `${code} ${meaning}`,
        }))}
        value={search.code?.toString()}
        onChange={(code) => change({ code: code === null ? null : Number(code) })}
      />
      <DayFilters key={clearings} days={search} onChange={change} />
      {Object.keys(search).length > 0 && !isNothingFound && (
        <Button variant="subtle" onClick={onClear}>
          {requests.clear}
        </Button>
      )}
    </FilterBar>
  );
}
