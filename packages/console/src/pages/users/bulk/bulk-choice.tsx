import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { orgsQuery, rolesQuery } from '../../../api/directory-lists.ts';
import { storeSearchQuery } from '../../../api/store-search-query.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { orgPaths } from '../../../parts/org-paths.ts';
import { useTenant } from '../../../parts/use-tenant.ts';
import { type BulkAction, noTarget } from './bulk-action.ts';

interface Props {
  readonly action: BulkAction;
  readonly onChoose: (choice: string | undefined) => void;
}

/** Chooses the role, the organization or the store; a status needs no choice. */
export function BulkChoice({ action, onChoose }: Props) {
  if (action === 'role') return <RoleChoice onChoose={onChoose} />;
  if (action === 'org') return <OrgChoice onChoose={onChoose} />;
  if (action === 'addStore' || action === 'removeStore') return <StoreChoice onChoose={onChoose} />;
  return null;
}

type ChoiceProps = Pick<Props, 'onChoose'>;

function RoleChoice({ onChoose }: ChoiceProps) {
  const { users } = useTexts();
  const { data = [] } = useQuery(rolesQuery(useTenant()));
  return (
    <Select
      label={users.role}
      data-autofocus
      data={[
        { value: noTarget, label: users.noRole },
        ...data.map(({ id, name }) => ({ value: String(id), label: name })),
      ]}
      onChange={(value) => onChoose(value ?? undefined)}
    />
  );
}

function OrgChoice({ onChoose }: ChoiceProps) {
  const { users } = useTexts();
  const { data = [] } = useQuery(orgsQuery(useTenant()));
  const paths = orgPaths(data);
  return (
    <Select
      label={users.org}
      data-autofocus
      searchable
      limit={200}
      data={[
        { value: noTarget, label: users.noOrg },
        ...data.map(({ id }) => ({ value: String(id), label: paths.get(String(id)) ?? String(id) })),
      ]}
      onChange={(value) => onChoose(value ?? undefined)}
    />
  );
}

const typingMs = 120;

/** Picks a store; searches while one types. */
function StoreChoice({ onChoose }: ChoiceProps) {
  const { users, bulk } = useTexts();
  const tenant = useTenant();
  const [text, setText] = useState('');
  const [picked, setPicked] = useState<{ value: string; label: string }>();
  const [typed] = useDebouncedValue(text.trim(), typingMs);
  // After a pick, the field shows the store. That text is not a search.
  const search = typed === picked?.label ? '' : typed;
  const { data = [] } = useQuery({
    ...storeSearchQuery(tenant, search),
    placeholderData: keepPreviousData,
    enabled: search !== '',
  });
  const found = data.map(({ code, name }) => ({ value: code, label: `${name} (${code})` }));
  const options =
    picked === undefined ? found : [picked, ...found.filter(({ value }) => value !== picked.value)];
  return (
    <Select
      label={users.store}
      placeholder={bulk.findStore}
      data-autofocus
      searchable
      filter={({ options: all }) => all}
      data={options}
      nothingFoundMessage={search === '' ? undefined : bulk.noStore}
      value={picked?.value ?? null}
      onSearchChange={setText}
      onChange={(value, option) => {
        setPicked(value === null || option === null ? undefined : { value, label: option.label });
        onChoose(value ?? undefined);
      }}
    />
  );
}
