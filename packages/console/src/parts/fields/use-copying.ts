import { useClipboard } from '@mantine/hooks';
import { useEffect, useEffectEvent } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { isApple } from '../is-apple.ts';

interface Copying {
  readonly copy: () => void;
  /** Whether the text was copied a moment ago. */
  readonly isCopied: boolean;
  /** What to press, if the browser does not let the page copy, as over plain HTTP. */
  readonly pressKeys: string | undefined;
  readonly forget: () => void;
}

/**
 * Copies a text.
 *
 * @param onRefused selects the text
 */
export function useCopying(text: string, onRefused: () => void): Copying {
  const { general } = useTexts();
  const { copy, copied, error, reset } = useClipboard();
  const select = useEffectEvent(onRefused);
  useEffect(() => {
    if (error !== null) select();
  }, [error]);
  return {
    copy: () => copy(text),
    isCopied: copied,
    pressKeys: error === null ? undefined : general.pressToCopy(isApple ? '⌘C' : 'Ctrl+C'),
    forget: reset,
  };
}
