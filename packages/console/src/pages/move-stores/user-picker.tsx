import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { QueriedUser } from '../../api/user-query.ts';
import { type FoundUser, nameOf, userSearchQuery } from '../../api/user-search-query.ts';
import { useTexts } from '../../i18n/texts.ts';
import { useComposedText } from '../../parts/fields/composing.ts';
import { LoadedSelect } from '../../parts/fields/loaded-select.tsx';
import { useTenant } from '../../parts/use-tenant.ts';

interface Props {
  readonly label: string;
  readonly user: QueriedUser | undefined;
  /** Says why a user cannot be picked. */
  readonly obstacle?: (user: FoundUser) => string | undefined;
  readonly onPick: (id: string | undefined) => void;
}

const typingMs = 120;

/** Picks a user, and searches on typing. */
export function UserPicker({ label, user, obstacle = () => undefined, onPick }: Props) {
  const { moveStores, users } = useTexts();
  const tenant = useTenant();
  const picked = user && optionOf(user);
  const [text, setText] = useState('');
  const [typed] = useDebouncedValue(useComposedText(text).trim(), typingMs);
  // After a pick, the field shows the user's name. That text is not a search.
  const search = typed === picked?.label ? '' : typed;
  const query = useQuery(userSearchQuery(tenant, search));
  const found = query.data?.map((candidate) => {
    const reason = obstacle(candidate);
    const option = optionOf(candidate);
    // Lists users that cannot be picked too: a search that does not find a known colleague would look like a fault.
    return reason === undefined
      ? option
      : { ...option, label: moveStores.cannot(option.label, reason), disabled: true };
  });
  return (
    <LoadedSelect
      label={label}
      placeholder={users.search}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': moveStores.clear }}
      query={query}
      options={found ?? []}
      chosen={picked}
      search={search}
      noneFound={users.noneFound}
      value={picked?.value ?? null}
      onSearchChange={setText}
      onChange={(id) => onPick(id ?? undefined)}
    />
  );
}

function optionOf(user: Pick<QueriedUser, 'id' | 'real_name' | 'username'>) {
  const name = nameOf(user);
  const label = name === user.username ? name : `${name} (${user.username})`;
  return { value: String(user.id), label };
}
