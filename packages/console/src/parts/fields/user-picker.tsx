import { useQuery } from '@tanstack/react-query';
import { type FoundUser, fullNameOf, userSearchQuery } from '../../api/user-search-query.ts';
import { useTexts } from '../../i18n/texts.ts';
import { useTenant } from '../use-tenant.ts';
import { LoadedSelect } from './loaded-select.tsx';
import { useSearchedText } from './use-searched-text.ts';

export type PickedUser = Pick<FoundUser, 'id' | 'real_name' | 'username'>;

interface Props {
  readonly label: string;
  /** Whether the label is above the field, instead of only for those who hear the page. */
  readonly showsLabel?: boolean;
  readonly user: PickedUser | undefined;
  /** Says why a user cannot be picked. */
  readonly obstacle?: (user: FoundUser) => string | undefined;
  readonly onPick: (user: PickedUser | undefined) => void;
}

/** Picks a user, and searches on typing. */
export function UserPicker({ label, showsLabel = true, user, obstacle = () => undefined, onPick }: Props) {
  const { general, moveStores, users } = useTexts();
  const tenant = useTenant();
  const picked = user && optionOf(user);
  const { search, setText } = useSearchedText(picked?.label);
  const query = useQuery(userSearchQuery(tenant, search));
  const found = query.data?.entries.map((candidate) => {
    const reason = obstacle(candidate);
    const option = optionOf(candidate);
    // Lists users that cannot be picked too: a search that does not find a known colleague would look like a fault.
    return reason === undefined
      ? option
      : { ...option, label: moveStores.cannot(option.label, reason), disabled: true };
  });
  return (
    <LoadedSelect
      {...(showsLabel ? { label } : { 'aria-label': label })}
      placeholder={users.search}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': moveStores.clear }}
      query={query}
      options={found ?? []}
      chosen={picked}
      search={search}
      noneFound={users.noneFound}
      {...(query.data?.isCutShort && { cutShort: general.searchCutShort })}
      value={picked?.value ?? null}
      onSearchChange={setText}
      onChange={(id) => onPick(query.data?.entries.find((candidate) => String(candidate.id) === id))}
    />
  );
}

function optionOf(user: PickedUser) {
  return { value: String(user.id), label: fullNameOf(user) };
}
