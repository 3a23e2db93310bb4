import { Select, type SelectProps } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTexts } from '../../i18n/texts.ts';

export interface LoadedOption {
  readonly value: string;
  readonly label: string;
  readonly disabled?: boolean;
}

export type OptionsQuery = Pick<UseQueryResult, 'data' | 'error' | 'isFetching' | 'refetch'>;

interface Props extends Omit<SelectProps, 'data' | 'onChange' | 'filter' | 'nothingFoundMessage'> {
  /** Where the options come from. */
  readonly query: OptionsQuery;
  readonly options: readonly LoadedOption[];
  /** The chosen option, if it may be missing from the options. */
  readonly chosen?: LoadedOption | undefined;
  /** What the server searches for, unless the browser filters the options. */
  readonly search?: string;
  /** The text that says that nothing matches. */
  readonly noneFound?: string;
  readonly onChange: (value: string | null) => void;
}

/** No id and no code contains this character. */
const retryValue = '\0';

/** A select with options from the server. If they cannot be loaded, it says so and offers to try again. */
export function LoadedSelect(props: Props) {
  const { query, options, chosen, search, noneFound, onChange, ...select } = props;
  const { general, palette } = useTexts();
  const isSearch = search !== undefined;
  const hasFailed = query.data === undefined && query.error !== null && !query.isFetching;
  const again = { value: retryValue, label: isSearch ? general.searchFailed : general.listFailed };
  const others = options.filter(({ value }) => value !== chosen?.value);
  const hasNone = isSearch && search !== '' && options.length === 0;
  const { keepOpen, ...dropdown } = useDropdown();
  return (
    <Select
      {...select}
      {...dropdown}
      data={[...(chosen === undefined ? [] : [chosen]), ...others, ...(hasFailed ? [again] : [])]}
      {...((isSearch || hasFailed) && {
        filter: ({ options: all }) =>
          hasNone ? all.filter((option) => 'value' in option && option.value === retryValue) : all,
      })}
      nothingFoundMessage={query.isFetching ? (isSearch ? palette.searching : general.loading) : noneFound}
      onChange={(value) => {
        if (value !== retryValue) return onChange(value);
        keepOpen();
        query.refetch();
      }}
    />
  );
}

/** Opens and closes the list of options. `keepOpen` prevents the next close, because every choice closes the list. */
function useDropdown() {
  const [dropdownOpened, setOpened] = useState(false);
  const isKept = useRef(false);
  return {
    dropdownOpened,
    onDropdownOpen: () => setOpened(true),
    onDropdownClose() {
      setOpened(isKept.current);
      isKept.current = false;
    },
    keepOpen() {
      isKept.current = true;
    },
  };
}
