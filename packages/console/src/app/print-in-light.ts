import { followPrinting } from '../parts/printing.ts';

const attribute = 'data-mantine-color-scheme';

/**
 * Prints in the light theme whatever the screen shows: a browser that prints backgrounds would spend a sheet's worth of
 * ink on a dark page, and one that does not would print light text on white paper.
 */
export function printInLight(): void {
  const root = document.documentElement;
  let onScreen: string | null = null;
  const begin = () => {
    onScreen ??= root.getAttribute(attribute);
    root.setAttribute(attribute, 'light');
  };
  const end = () => {
    if (onScreen !== null) root.setAttribute(attribute, onScreen);
    onScreen = null;
  };
  followPrinting(begin, end);
}
