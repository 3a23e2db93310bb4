import { Box, UnstyledButton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import { IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import styles from './palette.module.css';
import { type FoundEntry, type FoundGroup, useFound } from './use-found.tsx';

const [store, palette] = createSpotlight();

const typingMs = 100;
const listId = 'palette-found';

interface Props {
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Finds users, stores, applications and pages, and goes there. */
export function Palette({ opened, onClose }: Props) {
  const { palette: texts } = useTexts();
  const [query, setQuery] = useState('');
  const [typed] = useDebouncedValue(query.trim(), typingMs);
  const { groups, isSearching } = useFound(opened, query.trim() === '' ? '' : typed);
  const keys = groups.flatMap(({ entries }) => entries.map(({ key }) => key));
  const { selected, onKeyDown } = useSelection(keys);
  useEffect(() => {
    if (opened) palette.open();
  }, [opened]);
  return (
    <Spotlight.Root
      store={store}
      shortcut={null}
      query={query}
      onQueryChange={setQuery}
      onSpotlightClose={() => {
        setQuery('');
        onClose();
      }}
      clearQueryOnClose={false}
      centered={false}
      yOffset="12dvh"
      scrollable
      maxHeight="min(30rem, 70dvh)"
      overlayProps={{ backgroundOpacity: 0.3, blur: 0 }}
      transitionProps={{ duration: 100 }}
      classNames={{ content: styles.content ?? '' }}
      attributes={{ content: { 'aria-label': texts.title } }}
    >
      <SearchLine keys={keys} selected={selected} onKeyDown={onKeyDown} />
      <FoundList groups={groups} selected={selected} isSearching={isSearching} />
    </Spotlight.Root>
  );
}

interface SearchLineProps {
  readonly keys: readonly string[];
  readonly selected: string | undefined;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** The field, which keeps the focus while the arrows select below it. */
function SearchLine({ keys, selected, onKeyDown }: SearchLineProps) {
  const { palette: texts } = useTexts();
  return (
    <Spotlight.Search
      role="combobox"
      aria-label={texts.title}
      aria-expanded={keys.length > 0}
      aria-controls={listId}
      aria-activedescendant={selected === undefined ? undefined : idOf(selected)}
      aria-autocomplete="list"
      onKeyDown={onKeyDown}
      placeholder={texts.placeholder}
      leftSection={<IconSearch size={16} />}
      maxLength={100}
    />
  );
}

interface FoundListProps {
  readonly groups: readonly FoundGroup[];
  readonly selected: string | undefined;
  readonly isSearching: boolean;
}

function FoundList({ groups, selected, isSearching }: FoundListProps) {
  const { palette: texts } = useTexts();
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
      {isEmpty && (
        <Spotlight.Empty role="status">{isSearching ? texts.searching : texts.nothing}</Spotlight.Empty>
      )}
    </div>
  );
}

/** Keeps one of the entries selected: the first whenever others are found. */
function useSelection(keys: readonly string[]) {
  const found = keys.join('\n');
  const [state, setState] = useState({ found, index: 0 });
  const index = state.found === found ? state.index : 0;
  const selected = keys[index];
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (event.nativeEvent.isComposing || selected === undefined) return;
    if (event.key === 'Enter') document.getElementById(idOf(selected))?.click();
    if (step !== undefined) setState({ found, index: (index + step + keys.length) % keys.length });
  };
  useEffect(() => {
    if (selected !== undefined) document.getElementById(idOf(selected))?.scrollIntoView({ block: 'nearest' });
  }, [selected]);
  return { selected, onKeyDown };
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
