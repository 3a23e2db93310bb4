import { useMediaQuery } from '@mantine/hooks';
import { useEffect } from 'react';

/** At this width, a drawer leaves hardly any of the page beside it. */
const coveringWidth = '(max-width: 40em)';

/**
 * Keeps the keyboard out of a page that a drawer covers from edge to edge, as on a phone or at a large zoom: what has the
 * focus there would not be seen. The bar about the server stays, so that it is still announced.
 *
 * @param content takes the focus from the page, once it is there
 */
export function useCoveredPage(content: HTMLElement | null): void {
  const isCovered = useMediaQuery(coveringWidth);
  useEffect(() => {
    const page = document.getElementById('content')?.parentElement;
    if (!isCovered || !page || content === null) return;
    const covered = [...page.querySelectorAll<HTMLElement>(':scope > :not([role="status"])')];
    const hadFocus = covered.some((part) => part.contains(document.activeElement));
    for (const part of covered) part.inert = true;
    if (hadFocus) content.focus();
    return () => {
      for (const part of covered) part.inert = false;
    };
  }, [isCovered, content]);
}
