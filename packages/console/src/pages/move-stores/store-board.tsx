import { Checkbox, Text, TextInput } from '@mantine/core';
import { IconArrowRight, IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import type { DirectoryResult } from '../../api/call.ts';
import { useTexts } from '../../i18n/texts.ts';
import styles from './move-stores.module.css';

export type UserStore = DirectoryResult<'queryUserStores'>['stores'][number];

interface FromProps {
  readonly stores: readonly UserStore[];
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (selected: ReadonlySet<string>) => void;
}

/** The stores that can move, with a field that narrows them. */
export function StoresToMove({ stores, selected, onSelect }: FromProps) {
  const { bulk, moveStores, users } = useTexts();
  const [filter, setFilter] = useState('');
  if (stores.length === 0) return <Text c="dimmed">{users.noStores}</Text>;
  const wanted = filter.trim().toLowerCase();
  const shown = stores.filter((store) =>
    [store.code, store.name, store.address].some((text) => text.toLowerCase().includes(wanted)),
  );
  const chosen = shown.filter(({ code }) => selected.has(code)).length;
  const select = (codes: readonly string[], isSelected: boolean) => {
    const others = [...selected].filter((code) => !codes.includes(code));
    onSelect(new Set(isSelected ? [...others, ...codes] : others));
  };
  return (
    <>
      <TextInput
        type="search"
        aria-label={moveStores.filter}
        placeholder={moveStores.filter}
        leftSection={<IconSearch size="0.875rem" />}
        value={filter}
        onChange={({ currentTarget }) => setFilter(currentTarget.value)}
      />
      {shown.length === 0 ? (
        <Text c="dimmed">{bulk.noStore}</Text>
      ) : (
        <Checkbox
          size="xs"
          className={styles.all}
          label={moveStores.all(shown.length)}
          checked={chosen > 0 && chosen === shown.length}
          indeterminate={chosen > 0 && chosen < shown.length}
          onChange={() =>
            select(
              shown.map(({ code }) => code),
              chosen < shown.length,
            )
          }
        />
      )}
      <ul className={styles.list}>
        {shown.map((store) => (
          <li key={store.code} className={styles.row}>
            <Checkbox
              size="xs"
              checked={selected.has(store.code)}
              onChange={({ currentTarget }) => select([store.code], currentTarget.checked)}
              label={<StoreLine store={store} />}
              classNames={{
                root: styles.check ?? '',
                body: styles.checkBody ?? '',
                labelWrapper: styles.label ?? '',
              }}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

interface ToProps {
  readonly stores: readonly UserStore[];
  readonly arriving: readonly UserStore[];
}

/** The colleague's stores, as they will be. */
export function ResultingStores({ stores, arriving }: ToProps) {
  const { moveStores, users } = useTexts();
  if (stores.length + arriving.length === 0) return <Text c="dimmed">{users.noStores}</Text>;
  return (
    <ul className={styles.list}>
      {arriving.map((store) => (
        <li key={store.code} className={`${styles.row} ${styles.arriving}`}>
          <IconArrowRight size="1rem" aria-label={moveStores.arrives} role="img" />
          <StoreLine store={store} />
        </li>
      ))}
      {stores.map((store) => (
        <li key={store.code} className={styles.row}>
          <StoreLine store={store} />
        </li>
      ))}
    </ul>
  );
}

function StoreLine({ store: { code, name, address } }: { readonly store: UserStore }) {
  return (
    <span className={styles.line}>
      <Text span size="sm" display="block" truncate>
        {name}
      </Text>
      <Text span size="xs" c="dimmed" display="block" truncate>
        {address === '' ? code : `${code} · ${address}`}
      </Text>
    </span>
  );
}
