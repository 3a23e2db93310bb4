import { Group, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback, useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { orgsQuery, rolesQuery } from '../../api/directory-lists.ts';
import { useTexts } from '../../i18n/texts.ts';
import { orgPaths } from '../../parts/org-paths.ts';
import { useTenant } from '../../parts/use-tenant.ts';
import type { UserSearch } from './user-search.ts';

interface Props {
  readonly search: UserSearch;
}

const typingMs = 120;

/** The search field and the filters above the list. */
export function UserFilters({ search }: Props) {
  const { users, general } = useTexts();
  const tenant = useTenant();
  const navigate = useNavigate();
  const { data: roles = [] } = useQuery(rolesQuery(tenant));
  const { data: orgs = [] } = useQuery(orgsQuery(tenant));
  const change = (part: Partial<Record<keyof UserSearch, string | null>>) => {
    const next = Object.entries({ ...search, ...part }).filter(([, value]) => value !== null && value !== '');
    navigate({ to: '.', search: Object.fromEntries(next), replace: true });
  };
  const paths = orgPaths(orgs);
  return (
    <Group gap="xs">
      <SearchField value={search.search ?? ''} onChange={(value) => change({ search: value })} />
      <Select
        aria-label={users.role}
        placeholder={users.role}
        w={180}
        clearable
        data={roles.map(({ id, name }) => ({ value: String(id), label: name }))}
        value={search.role ?? null}
        onChange={(role) => change({ role })}
      />
      <Select
        aria-label={users.org}
        placeholder={users.org}
        w={220}
        clearable
        searchable
        limit={200}
        data={orgs.map(({ id }) => ({ value: String(id), label: paths.get(String(id)) ?? String(id) }))}
        value={search.org ?? null}
        onChange={(org) => change({ org })}
      />
      <Select
        aria-label={users.missing}
        placeholder={`${users.missing}…`}
        w={150}
        clearable
        data={(['role', 'org', 'store'] as const).map((value) => ({ value, label: users.missingOf[value] }))}
        value={search.missing ?? null}
        onChange={(missing) => change({ missing })}
      />
      <Select
        aria-label={general.status}
        placeholder={users.anyStatus}
        w={140}
        clearable
        data={(['active', 'disabled'] as const).map((value) => ({ value, label: general[value] }))}
        value={search.status ?? null}
        onChange={(status) => change({ status })}
      />
    </Group>
  );
}

interface FieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Searches while one types. `/` focuses it. */
function SearchField({ value, onChange }: FieldProps) {
  const { users } = useTexts();
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
      w={260}
      aria-label={users.searchLabel}
      placeholder={users.search}
      leftSection={<IconSearch size={14} />}
      maxLength={100}
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        report(currentTarget.value.trim());
      }}
    />
  );
}
