import { Kbd, UnstyledButton } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { Suspense, useRef, useState, useSyncExternalStore } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { composing } from '../../parts/fields/composing.ts';
import { lazyPart } from '../../parts/loading/lazy-part.tsx';
import { EarlyField } from './early-field.tsx';
import styles from './palette.module.css';
import { paletteKeys } from './palette-keys.ts';
import { nothingTyped } from './typed-text.ts';

const Palette = lazyPart(async () => (await import('./palette.tsx')).Palette);

/** Opens the palette, by a click or by `Ctrl K`. Loads it when it opens for the first time. */
export function PaletteButton() {
  const { navigation } = useTexts();
  const [opened, setOpened] = useState(false);
  const [isLoaded, setIsLoaded] = useState(false);
  const [isReady, setIsReady] = useState(false);
  const [typed, setTyped] = useState(nothingTyped);
  const returnTo = useRef<Element>(null);
  const isComposing = useSyncExternalStore(composing.subscribe, composing.read);
  const open = () => {
    if (opened) return;
    returnTo.current = document.activeElement;
    setIsReady(false);
    setTyped(nothingTyped);
    setIsLoaded(true);
    setOpened(true);
  };
  const close = () => {
    setOpened(false);
    setTyped(nothingTyped);
    // If nothing had the focus, the page gets it: what opens next takes the focus from the page, but not from the palette.
    const before = returnTo.current === document.body ? document.getElementById('content') : returnTo.current;
    if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  };
  // The keys work even while a field has the focus.
  useHotkeys([['mod+K', open]], []);
  return (
    <div className={styles.place}>
      <UnstyledButton className={styles.button} aria-haspopup="dialog" onClick={open}>
        <IconSearch size="0.875rem" aria-hidden="true" />
        <span className={styles.hint}>{navigation.palette}</span>
        <span className={styles.shortHint} aria-hidden="true">
          {navigation.paletteShort}
        </span>
        <Kbd size="xs" className={styles.keys}>
          {paletteKeys}
        </Kbd>
      </UnstyledButton>
      {opened && !isReady && <EarlyField typed={typed} onType={setTyped} onClose={close} />}
      {isLoaded && (
        <Suspense>
          <Palette
            // The palette takes the focus when it opens, which would end a composition in the early field.
            opened={opened && (isReady || !isComposing)}
            typed={typed}
            onType={setTyped}
            onReady={() => setIsReady(true)}
            onClose={close}
          />
        </Suspense>
      )}
    </div>
  );
}
