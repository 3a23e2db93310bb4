import { Box, Button, Group, UnstyledButton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import { IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useState } from 'react';
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
  const { groups, isSearching, retry } = useFound(opened, query === '' ? '' : searched);
  const keys = groups.flatMap(({ entries }) => entries.map(({ key }) => key));
  const isAnswered = query === searched && !isSearching;
  const isFound = isAnswered && retry === undefined;
  const { selected, onKeyDown } = useSelection(keys, { typed, isFound, onType });
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
      <SearchLine keys={keys} selected={selected} onKeyDown={onKeyDown} onFocus={onReady} />
      <FoundList
        groups={groups}
        selected={selected}
        isSearching={!isAnswered}
        retry={isAnswered ? retry : undefined}
      />
    </Spotlight.Root>
  );
}

interface SearchLineProps {
  readonly keys: readonly string[];
  readonly selected: string | undefined;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onFocus: () => void;
}

/** The field, which keeps the focus while the arrows select below it. */
function SearchLine({ keys, selected, onKeyDown, onFocus }: SearchLineProps) {
  const { palette: texts } = useTexts();
  return (
    <Spotlight.Search
      classNames={{ input: styles.search ?? '' }}
      role="combobox"
      aria-label={texts.title}
      aria-expanded={keys.length > 0}
      aria-controls={listId}
      aria-activedescendant={selected === undefined ? undefined : idOf(selected)}
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
  readonly selected: string | undefined;
  readonly isSearching: boolean;
  readonly retry: (() => void) | undefined;
}

function FoundList({ groups, selected, isSearching, retry }: FoundListProps) {
  const { palette: texts, general } = useTexts();
  const isEmpty = groups.length === 0;
  return (
    <div className={styles.list}>
      <div id={listId} {...(!isEmpty && { role: 'listbox', 'aria-label': texts.found })}>
        {groups.map(({ label, entries }) => (
          <Box key={label} role="group" aria-label={label} className={styles.group ?? ''}>
            <div className={styles.label} aria-hidden="true">
              {label}
            </div>
            {entries.map((entry) => (
              <Option key={entry.key} entry={entry} isSelected={entry.key === selected} />
            ))}
          </Box>
        ))}
      </div>
      {retry !== undefined && <FailedSearch isPart={!isEmpty} onRetry={retry} />}
      {isEmpty && retry === undefined && (
        <Spotlight.Empty role="status">{isSearching ? general.searching : texts.nothing}</Spotlight.Empty>
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
function useSelection(keys: readonly string[], { typed, isFound, onType }: Typing) {
  const found = keys.join('\n');
  const [state, setState] = useState({ found, index: 0 });
  const index = state.found === found ? state.index : 0;
  const selected = keys[index];
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (isForInputMethod(event.nativeEvent)) return;
    // The first entry may still be the first hit for the text before the last letters.
    if (event.key === 'Enter' && index === 0) onType({ ...typed, isEntered: true });
    else if (event.key === 'Enter') openEntry(selected);
    if (step !== undefined && selected !== undefined)
      setState({ found, index: (index + step + keys.length) % keys.length });
  };
  useEffect(() => {
    if (selected !== undefined) document.getElementById(idOf(selected))?.scrollIntoView({ block: 'nearest' });
  }, [selected]);
  useEffect(() => {
    if (typed.isEntered && isFound) openEntry(selected);
  }, [typed, isFound, selected]);
  return { selected, onKeyDown };
}

function openEntry(key: string | undefined): void {
  if (key !== undefined) document.getElementById(idOf(key))?.click();
}

interface OptionProps {
  readonly entry: FoundEntry;
  readonly isSelected: boolean;
}

function Option({ entry, isSelected }: OptionProps) {
  const { key, name, detail, icon, open } = entry;
  return (
    <UnstyledButton
      id={idOf(key)}
      role="option"
      aria-selected={isSelected}
      tabIndex={-1}
      className={styles.option}
      onClick={() => {
        palette.close();
        open();
      }}
    >
      {icon}
      <span className={styles.text}>
        <span className={styles.line}>{name}</span>
        {detail !== undefined && <span className={styles.detail}>{detail}</span>}
      </span>
    </UnstyledButton>
  );
}

function idOf(key: string): string {
  return `palette-${key.replaceAll(/\s/g, '-')}`;
}
