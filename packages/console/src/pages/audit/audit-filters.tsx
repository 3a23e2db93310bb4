import { Button, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { applicationOptions, applicationsQuery } from '../../api/applications-query.ts';
import { type FoundUser, fullNameOf, userSearchQuery } from '../../api/user-search-query.ts';
import { useTexts } from '../../i18n/texts.ts';
import { countFilters } from '../../parts/fields/count-filters.ts';
import { DayFilters } from '../../parts/fields/day-filters.tsx';
import { FilterBar } from '../../parts/fields/filter-bar.tsx';
import { FilterSelect } from '../../parts/fields/filter-select.tsx';
import { type LoadedOption, LoadedSelect } from '../../parts/fields/loaded-select.tsx';
import { useFilterChange } from '../../parts/fields/use-filter-change.ts';
import { useReportedText } from '../../parts/fields/use-reported-text.ts';
import { useSearchedText } from '../../parts/fields/use-searched-text.ts';
import { useTenant } from '../../parts/use-tenant.ts';
import type { EventsPage } from './audit-query.ts';
import { type AuditSearch, readAuditSearch } from './audit-search.ts';

interface Props {
  readonly search: AuditSearch;
  readonly operators: NonNullable<EventsPage['operators']>;
  /** The first changes found, which name the user that the list is filtered by. */
  readonly events: EventsPage['events'];
  /** Whether no change matches. The notice in place of the list then offers to clear the filters. */
  readonly isNothingFound: boolean;
  /** How often the filters were cleared. Each time, the days begin empty: an incomplete one is not in the address. */
  readonly clearings: number;
  readonly onClear: () => void;
}

const typingMs = 250;

/** The filters of the list of changes. */
export function AuditFilters(props: Props) {
  const { search, operators, events, isNothingFound, clearings, onClear } = props;
  const { audit, changes } = useTexts();
  const tenant = useTenant();
  const applications = useQuery(applicationsQuery(tenant));
  const change = useFilterChange(readAuditSearch);
  return (
    <FilterBar
      first={<UserFilter value={search.user ?? null} events={events} onChange={(user) => change({ user })} />}
      inUse={countFilters(search, 'user')}
    >
      <TextFilter label={audit.store} value={search.store} onChange={(store) => change({ store })} />
      <FilterSelect
        label={audit.application}
        query={applications}
        options={applicationOptions(applications.data)}
        value={search.app}
        onChange={(app) => change({ app })}
      />
      <FilterSelect
        label={audit.anyOperator}
        isWholeLine
        options={operators.map(({ id, username }) => ({ value: String(id), label: username }))}
        value={search.operator}
        onChange={(operator) => change({ operator })}
      />
      <FilterSelect
        label={audit.operation}
        isWholeLine
        options={operationsOf(changes.operations, search.operation)}
        value={search.operation}
        onChange={(operation) => change({ operation })}
      />
      <DayFilters key={clearings} days={search} onChange={change} />
      {Object.keys(search).length > 0 && !isNothingFound && (
        <Button variant="subtle" onClick={onClear}>
          {audit.clear}
        </Button>
      )}
    </FilterBar>
  );
}

/** Returns the operations by name. An address may name one that this console does not know. */
function operationsOf(names: Readonly<Record<string, string>>, chosen: string | undefined) {
  const known = chosen === undefined || chosen in names ? names : { ...names, [chosen]: chosen };
  return Object.entries(known).map(([value, label]) => ({ value, label }));
}

interface TextProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (value: string) => void;
}

function TextFilter({ label, value = '', onChange }: TextProps) {
  const typed = useReportedText({
    value,
    typingMs,
    onChange: (text) => onChange(text.replaceAll('\0', '').trim()),
  });
  return <TextInput aria-label={label} placeholder={label} maxLength={255} {...typed} />;
}

interface UserProps {
  readonly value: string | null;
  readonly events: EventsPage['events'];
  readonly onChange: (value: string | null) => void;
}

function UserFilter({ value, events, onChange }: UserProps) {
  const { audit, general, users } = useTexts();
  const tenant = useTenant();
  // A user that a link names is not among those found, and may have been deleted.
  const named = events.find(({ user_id, user }) => String(user_id) === value && user !== undefined)?.user;
  const [picked, setPicked] = useState<LoadedOption>();
  const isPicked = picked !== undefined && picked.value === value;
  const label = value === null ? '' : isPicked ? picked.label : named ? fullNameOf(named) : audit.user(value);
  const { search, setText } = useSearchedText(label, typingMs);
  const query = useQuery(userSearchQuery(tenant, search));
  const choices = query.data?.entries.map((user) => optionOf(user)) ?? [];
  const choice = choices.find((one) => one.value === value);
  const known = value === null || choice !== undefined;
  return (
    <LoadedSelect
      aria-label={audit.userFilter}
      // A long name is cut in the field.
      title={choice?.label ?? label}
      wrapperProps={{ 'data-wide': true }}
      placeholder={audit.userFilter}
      clearable
      searchable
      query={query}
      options={choices}
      {...(!known && { chosen: { value, label } })}
      search={search}
      noneFound={users.noneFound}
      {...(query.data?.isCutShort && { cutShort: general.searchCutShort })}
      value={value}
      onChange={(next) => {
        setPicked(choices.find((one) => one.value === next));
        onChange(next);
      }}
      onSearchChange={setText}
    />
  );
}

/** Namesakes differ in their usernames, and usually in their organizations. */
function optionOf(user: FoundUser): LoadedOption {
  const label = [fullNameOf(user), user.orgs[0]?.name].filter(Boolean).join(' · ');
  return { value: String(user.id), label };
}
