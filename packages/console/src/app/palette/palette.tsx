import { Box, Button, Group, UnstyledButton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import { IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { isForInputMethod, useComposedText } from '../../parts/fields/composing.ts';
import styles from './palette.module.css';
import { type TypedText, typedCharactersMax } from './typed-text.ts';
import { type FoundEntry, type FoundGroup, useFound } from './use-found.tsx';

const [store, palette] = createSpotlight();

const typingMs = 100;
const listId = 'palette-found';

interface Props {
  readonly opened: boolean;
  readonly typed: TypedText;
  readonly onType: (typed: TypedText) => void;
  /** Called when the field has the focus. */
  readonly onReady: () => void;
  readonly onClose: () => void;
}

/** Finds users, stores, applications and pages, and goes there. */
export function Palette({ opened, typed, onType, onReady, onClose }: Props) {
  const { palette: texts } = useTexts();
  const query = useComposedText(typed.text).trim();
  const [searched] = useDebouncedValue(query, typingMs);
  const { groups, isCutShort, isSearching, retry } = useFound(opened, query === '' ? '' : searched);
  const entries = groups.flatMap((group) => group.entries);
  const isAnswered = query === searched && !isSearching;
  const isFound = isAnswered && retry === undefined;
  const { selected, onKeyDown } = useSelection(entries, { typed, isFound, onType });
  useEffect(() => {
    if (opened) palette.open();
  }, [opened]);
  return (
    <Spotlight.Root
      store={store}
      shortcut={null}
      query={typed.text}
      onQueryChange={(text) => onType({ text, isEntered: false })}
      onSpotlightClose={onClose}
      clearQueryOnClose={false}
      // The button gives the focus back to what had it before anything was typed.
      returnFocus={false}
      centered={false}
      yOffset="12dvh"
      scrollable
      maxHeight="min(30rem, 70dvh)"
      overlayProps={{ backgroundOpacity: 0.3, blur: 0 }}
      transitionProps={{ duration: 100 }}
      classNames={{ content: styles.content ?? '' }}
      attributes={{ content: { 'aria-label': texts.title } }}
    >
      <SearchLine
        isAnyFound={entries.length > 0}
        selected={selected}
        onKeyDown={onKeyDown}
        onFocus={onReady}
      />
      <FoundList
        groups={groups}
        selected={selected}
        isCutShort={isFound && isCutShort}
        isSearching={!isAnswered}
        retry={isAnswered ? retry : undefined}
      />
    </Spotlight.Root>
  );
}

interface SearchLineProps {
  readonly isAnyFound: boolean;
  /** Place of the selected entry among all. */
  readonly selected: number;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onFocus: () => void;
}

/** The field, which keeps the focus while the arrows select below it. */
function SearchLine({ isAnyFound, selected, onKeyDown, onFocus }: SearchLineProps) {
  const { palette: texts } = useTexts();
  return (
    <Spotlight.Search
      classNames={{ input: styles.search ?? '' }}
      role="combobox"
      aria-label={texts.title}
      aria-expanded={isAnyFound}
      aria-controls={listId}
      aria-activedescendant={isAnyFound ? idOf(selected) : undefined}
      aria-autocomplete="list"
      onKeyDown={onKeyDown}
      onFocus={onFocus}
      placeholder={texts.placeholder}
      leftSection={<IconSearch size="1rem" />}
      maxLength={typedCharactersMax}
    />
  );
}

interface FoundListProps {
  readonly groups: readonly FoundGroup[];
  readonly selected: number;
  readonly isCutShort: boolean;
  readonly isSearching: boolean;
  readonly retry: (() => void) | undefined;
}

function FoundList({ groups, selected, isCutShort, isSearching, retry }: FoundListProps) {
  const { palette: texts, general } = useTexts();
  const isEmpty = groups.length === 0;
  let place = 0;
  const numbered = groups.map(({ label, entries }) => ({
    label,
    entries: entries.map((entry) => ({ entry, index: place++ })),
  }));
  return (
    <div className={styles.list}>
      <div id={listId} {...(!isEmpty && { role: 'listbox', 'aria-label': texts.found })}>
        {numbered.map(({ label, entries }) => (
          <Box key={label} role="group" aria-label={label} className={styles.group ?? ''}>
            <div className={styles.label} aria-hidden="true">
              {label}
            </div>
            {entries.map(({ entry, index }) => (
              <Option key={entry.key} entry={entry} index={index} isSelected={index === selected} />
            ))}
          </Box>
        ))}
      </div>
      {retry !== undefined && <FailedSearch isPart={!isEmpty} onRetry={retry} />}
      {!isEmpty && isCutShort && (
        <div className={styles.failed} role="status">
          {general.searchCutShort}
        </div>
      )}
      {isEmpty && retry === undefined && (
        <Spotlight.Empty role="status">
          {isSearching ? general.searching : isCutShort ? general.searchCutShort : texts.nothing}
        </Spotlight.Empty>
      )}
    </div>
  );
}

interface FailedProps {
  /** Whether something else was found. */
  readonly isPart: boolean;
  readonly onRetry: () => void;
}

/** Says below the results that a search failed, so that nobody concludes that a missing result does not exist. */
function FailedSearch({ isPart, onRetry }: FailedProps) {
  const { palette: texts, general } = useTexts();
  return (
    <Group className={styles.failed ?? ''} justify="space-between" gap="xs">
      <span role="status">{isPart ? texts.someFailed : texts.failed}</span>
      <Button
        variant="default"
        onClick={(event) => {
          onRetry();
          event.currentTarget.closest('[role="dialog"]')?.querySelector('input')?.focus();
        }}
      >
        {general.retry}
      </Button>
    </Group>
  );
}

interface Typing {
  readonly typed: TypedText;
  /** Whether the entries are what the text finds, rather than what an earlier one found. */
  readonly isFound: boolean;
  readonly onType: (typed: TypedText) => void;
}

/** Keeps one of the entries selected: the first whenever others are found. */
function useSelection(entries: readonly FoundEntry[], { typed, isFound, onType }: Typing) {
  const found = entries.map(({ key }) => key).join('\n');
  const [state, setState] = useState({ found, index: 0 });
  const index = state.found === found ? state.index : 0;
  const selected = entries[index];
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (isForInputMethod(event.nativeEvent)) return;
    // The first entry may still be the first hit for the text before the last letters.
    if (event.key === 'Enter' && index === 0) onType({ ...typed, isEntered: true });
    else if (event.key === 'Enter' && selected !== undefined) openEntry(selected);
    if (step !== undefined && selected !== undefined)
      setState({ found, index: (index + step + entries.length) % entries.length });
  };
  const openFirst = useEffectEvent(() => {
    if (selected !== undefined) openEntry(selected);
  });
  useEffect(() => {
    if (typed.isEntered && isFound) openFirst();
  }, [typed, isFound]);
  return { selected: index, onKeyDown };
}

function openEntry({ open }: FoundEntry): void {
  palette.close();
  open();
}

interface OptionProps {
  readonly entry: FoundEntry;
  readonly index: number;
  readonly isSelected: boolean;
}

function Option({ entry, index, isSelected }: OptionProps) {
  const { name, detail, icon } = entry;
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isSelected) button.current?.scrollIntoView({ block: 'nearest' });
  }, [isSelected]);
  return (
    <UnstyledButton
      ref={button}
      id={idOf(index)}
      role="option"
      aria-selected={isSelected}
      tabIndex={-1}
      className={styles.option}
      onClick={() => openEntry(entry)}
    >
      {icon}
      <span className={styles.text}>
        <span className={styles.line}>{name}</span>
        {detail !== undefined && <span className={styles.detail}>{detail}</span>}
      </span>
    </UnstyledButton>
  );
}

/** An id has no space, but the key of an entry may. */
function idOf(index: number): string {
  return `palette-${index}`;
}
