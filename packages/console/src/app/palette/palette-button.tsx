import { Kbd, UnstyledButton } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { lazyPart } from '../../parts/lazy-part.tsx';
import styles from './palette.module.css';
import { paletteKeys } from './palette-keys.ts';

const Palette = lazyPart(async () => (await import('./palette.tsx')).Palette);

/** Opens the palette, by a click or by `Ctrl K`. Loads it when it opens for the first time. */
export function PaletteButton() {
  const { navigation } = useTexts();
  const [opened, setOpened] = useState(false);
  const [isLoaded, setIsLoaded] = useState(false);
  const open = () => {
    setIsLoaded(true);
    setOpened(true);
  };
  // Also while a field has the focus.
  useHotkeys([['mod+K', open]], []);
  return (
    <>
      <UnstyledButton className={styles.button} aria-haspopup="dialog" onClick={open}>
        <IconSearch size={14} aria-hidden="true" />
        <span className={styles.hint}>{navigation.palette}</span>
        <span className={styles.shortHint} aria-hidden="true">
          {navigation.paletteShort}
        </span>
        <Kbd size="xs" className={styles.keys}>
          {paletteKeys}
        </Kbd>
      </UnstyledButton>
      {isLoaded && (
        <Suspense>
          <Palette opened={opened} onClose={() => setOpened(false)} />
        </Suspense>
      )}
    </>
  );
}
