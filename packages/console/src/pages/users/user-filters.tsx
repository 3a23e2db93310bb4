import { Button, Select } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { orgsQuery, rolesQuery } from '../../api/directory-lists.ts';
import { useTexts } from '../../i18n/texts.ts';
import { countFilters } from '../../parts/fields/count-filters.ts';
import { FilterBar } from '../../parts/fields/filter-bar.tsx';
import { LoadedSelect } from '../../parts/fields/loaded-select.tsx';
import { SearchField } from '../../parts/fields/search-field.tsx';
import { type PickedStore, StorePicker } from '../../parts/fields/store-picker.tsx';
import { orgOptions, roleOptions } from '../../parts/fields/target-options.ts';
import { useFilterChange } from '../../parts/fields/use-filter-change.ts';
import { useTenant } from '../../parts/use-tenant.ts';
import { useExactTime } from '../../parts/values/relative-time.tsx';
import { readUserSearch, type UserSearch } from './user-search.ts';

interface Props {
  readonly search: UserSearch;
}

/** The search field and the filters above the list. */
export function UserFilters({ search }: Props) {
  const { users, general } = useTexts();
  const tenant = useTenant();
  const roles = useQuery(rolesQuery(tenant));
  const orgs = useQuery(orgsQuery(tenant));
  const change = useFilterChange(readUserSearch);
  return (
    <FilterBar
      first={
        <SearchField
          label={users.searchLabel}
          placeholder={users.search}
          value={search.search ?? ''}
          onChange={(value) => change({ search: value })}
        />
      }
      inUse={countFilters(search, 'search')}
    >
      <LoadedSelect
        aria-label={users.role}
        placeholder={users.role}
        clearable
        query={roles}
        options={roleOptions(roles.data)}
        value={search.role ?? null}
        onChange={(role) => change({ role })}
      />
      <LoadedSelect
        aria-label={users.org}
        placeholder={users.org}
        clearable
        searchable
        limit={200}
        query={orgs}
        options={orgOptions(orgs.data)}
        value={search.org ?? null}
        onChange={(org) => change({ org })}
      />
      <StoreFilter code={search.store} onChange={(store) => change({ store })} />
      <Select
        aria-label={general.status}
        placeholder={general.status}
        clearable
        data={(['active', 'disabled'] as const).map((value) => ({ value, label: general[value] }))}
        value={search.status ?? null}
        onChange={(status) => change({ status })}
      />
      <MissingFilter value={search.missing} onChange={(missing) => change({ missing })} />
      {search.changed !== undefined && (
        <ChangedFilter since={search.changed} onRemove={() => change({ changed: null })} />
      )}
    </FilterBar>
  );
}

interface MissingFilterProps {
  readonly value: UserSearch['missing'] | undefined;
  readonly onChange: (missing: NonNullable<UserSearch['missing']> | null) => void;
}

/** Room for the longest of the values that say what is missing, in one line of filters at a desk. */
const wholeValue = { flexBasis: 176 } as const;

/** Lists the users who have no role, no organization or no store. */
function MissingFilter({ value, onChange }: MissingFilterProps) {
  const { users } = useTexts();
  return (
    <Select
      aria-label={users.missing}
      placeholder={`${users.missing}…`}
      clearable
      data={(['role', 'org', 'store'] as const).map((kind) => ({
        value: kind,
        label: users.missingOf[kind],
      }))}
      value={value ?? null}
      // Has a line of its own on a phone, where the four others stand in pairs.
      wrapperProps={{ 'data-whole-line': true }}
      style={value === undefined ? {} : wholeValue}
      onChange={onChange}
    />
  );
}

interface ChangedFilterProps {
  readonly since: number;
  readonly onRemove: () => void;
}

/** An import brings it; it cannot be chosen here. */
function ChangedFilter({ since, onRemove }: ChangedFilterProps) {
  const { users } = useTexts();
  const label = users.changedSince(useExactTime()(new Date(since)));
  return (
    <Button
      variant="default"
      rightSection={<IconX size="0.875rem" aria-hidden="true" />}
      aria-label={users.removeFilter(label)}
      onClick={onRemove}
    >
      {label}
    </Button>
  );
}

interface StoreFilterProps {
  readonly code: string | undefined;
  readonly onChange: (code: string | null) => void;
}

/** Whose users to list; shows the code alone when the address brought it. */
function StoreFilter({ code, onChange }: StoreFilterProps) {
  const { users } = useTexts();
  const [picked, setPicked] = useState<PickedStore>();
  const known = picked?.code === code ? picked : undefined;
  return (
    <StorePicker
      label={users.store}
      placeholder={users.store}
      picked={code === undefined ? undefined : (known ?? { code })}
      onPick={(store) => {
        setPicked(store);
        onChange(store?.code ?? null);
      }}
    />
  );
}
