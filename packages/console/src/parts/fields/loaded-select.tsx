import { Select, type SelectProps } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { useTypedText } from './use-typed-text.ts';

export interface LoadedOption {
  readonly value: string;
  readonly label: string;
  readonly disabled?: boolean;
}

export type OptionsQuery = Pick<UseQueryResult, 'data' | 'error' | 'isFetching' | 'refetch'> &
  Partial<Pick<UseQueryResult, 'isPlaceholderData'>>;

interface Props extends Omit<SelectProps, 'data' | 'onChange' | 'filter' | 'nothingFoundMessage'> {
  /** Where the options come from. */
  readonly query: OptionsQuery;
  readonly options: readonly LoadedOption[];
  /** The chosen option, if it may be missing from the options and its name is known. */
  readonly chosen?: LoadedOption | undefined;
  /** The text that the server searches for; absent if the browser filters the options. */
  readonly search?: string;
  /** The text that says that nothing matches. */
  readonly noneFound?: string;
  /** The text that says that the search ended early, so that nobody concludes that a missing option does not exist. */
  readonly cutShort?: string;
  readonly onChange: (value: string | null) => void;
}

/** No id and no code contains this character. */
const retryValue = '\0';
const cutShortValue = '\0\0';

/** A select with options from the server. If they cannot be loaded, it says so and offers to try again. */
export function LoadedSelect(props: Props) {
  const {
    query,
    options,
    chosen: _,
    search,
    noneFound,
    cutShort,
    onChange,
    onSearchChange,
    ...select
  } = props;
  const { general } = useTexts();
  const isSearch = search !== undefined;
  const hasFailed = query.data === undefined && query.error !== null && !query.isFetching;
  const chosen = useChosen(props, hasFailed);
  const again = { value: retryValue, label: isSearch ? general.searchFailed : general.listFailed };
  const hasNone = isSearch && search !== '' && options.length === 0;
  const { keepOpen, ...dropdown } = useDropdown();
  const shown = chosen ?? options.find(({ value }) => value === props.value);
  const typed = useTypedText(shown?.label, onSearchChange);
  const text = typed.searchValue.trim();
  const isNew = text !== '' && text !== shown?.label;
  // Until the server has answered, only options that contain the text may be chosen: the others were found for another text.
  const isAnswered =
    hasFailed || text === shown?.label || (text === search && query.isPlaceholderData !== true);
  const isFound = isSearch && isAnswered && isNew;
  // Below the options that were found. Without one, it takes the place of the words for none.
  const rest = isFound && cutShort !== undefined && options.length > 0 ? [cutShort] : [];
  const listed = new Set([...options.map(({ value }) => value), retryValue, cutShortValue]);
  return (
    <Select
      {...select}
      {...dropdown}
      {...typed}
      // Marks the first option on every change of the text, and when this becomes true, which is when the options for the
      // text are there. Enter then picks it. If it cannot be picked, the next one is hardly who was meant.
      selectFirstOptionOnChange={isFound && options[0] !== undefined && options[0].disabled !== true}
      // Enter on the chosen option would clear the field.
      allowDeselect={!isNew}
      onOptionSubmit={(value) => {
        if (isNew && value === props.value) typed.onSearchChange(shown?.label ?? '');
      }}
      data={[
        ...withChosen(options, chosen, isFound),
        ...rest.map((label) => ({ value: cutShortValue, label, disabled: true })),
        ...(hasFailed ? [again] : []),
      ]}
      {...((hasFailed || (isSearch && isAnswered)) && {
        filter: ({ options: all }) =>
          isFound || hasNone ? all.filter((option) => 'value' in option && listed.has(option.value)) : all,
      })}
      nothingFoundMessage={
        isSearch && !isAnswered
          ? general.searching
          : query.isFetching
            ? general.loading
            : (cutShort ?? noneFound)
      }
      onChange={(value) => {
        if (value !== retryValue) return onChange(value);
        keepOpen();
        query.refetch();
      }}
    />
  );
}

/** Returns the options with the chosen one, which is the first unless they are what a search found. */
function withChosen(options: readonly LoadedOption[], chosen: LoadedOption | undefined, isFound: boolean) {
  if (chosen === undefined) return options;
  const isListed = isFound && options.some(({ value }) => value === chosen.value);
  if (isListed) return options.map((option) => (option.value === chosen.value ? chosen : option));
  return [chosen, ...options.filter(({ value }) => value !== chosen.value)];
}

/**
 * Returns the chosen option if the options lack it. If its name is unknown, as when only the address names a role and
 * the roles cannot be loaded, the label is the id: an empty field would hide the choice.
 */
function useChosen({ query, options, chosen, value }: Props, hasFailed: boolean): LoadedOption | undefined {
  const { general } = useTexts();
  const hasAnswer = hasFailed || query.data !== undefined;
  if (chosen !== undefined || !hasAnswer || typeof value !== 'string') return chosen;
  const isNamed = options.some((option) => option.value === value);
  return isNamed ? undefined : { value, label: general.id(value) };
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
