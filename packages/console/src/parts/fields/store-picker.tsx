import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { storeSearchQuery } from '../../api/store-search-query.ts';
import { useTexts } from '../../i18n/texts.ts';
import { useTenant } from '../use-tenant.ts';
import { LoadedSelect } from './loaded-select.tsx';
import { useSearchedText } from './use-searched-text.ts';

/** A picked store. Its name is unknown when an address has its code. */
export interface PickedStore {
  readonly code: string;
  readonly name?: string;
}

interface Props {
  readonly label: string;
  /** Whether the label is above the field, instead of only for those who hear the page. */
  readonly showsLabel?: boolean;
  readonly placeholder: string;
  readonly isFirst?: boolean;
  readonly picked: PickedStore | undefined;
  readonly onPick: (store: PickedStore | undefined) => void;
}

/** Picks a store by part of its code, its name or its address. */
export function StorePicker({ label, showsLabel = false, placeholder, isFirst, picked, onPick }: Props) {
  const { bulk, general } = useTexts();
  const shown = picked && optionOf(picked);
  const { query, options, search, setText } = useFoundStores(shown?.label);
  return (
    <LoadedSelect
      {...(showsLabel ? { label } : { 'aria-label': label })}
      {...(isFirst && { 'data-autofocus': true })}
      placeholder={placeholder}
      searchable
      clearable
      query={query}
      options={options}
      chosen={shown}
      search={search}
      {...(search !== '' && { noneFound: bulk.noStore })}
      {...(query.data?.isCutShort && { cutShort: general.searchCutShort })}
      value={shown?.value ?? null}
      onSearchChange={setText}
      onChange={(value) => onPick(options.find((option) => option.value === value)?.store)}
    />
  );
}

/** Returns what the server finds for the typed text, unless it is only the name of the picked store. */
function useFoundStores(pickedLabel: string | undefined) {
  const { search, setText } = useSearchedText(pickedLabel);
  const query = useQuery({
    ...storeSearchQuery(useTenant(), search),
    placeholderData: keepPreviousData,
    enabled: search !== '',
  });
  return { query, options: query.data?.entries.map(optionOf) ?? [], search, setText };
}

function optionOf(store: PickedStore) {
  const { code, name } = store;
  return { value: code, label: name === undefined ? code : `${name} (${code})`, store };
}
