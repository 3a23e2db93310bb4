import { useEffect } from 'react';
import { useTexts } from '../../i18n/texts.ts';

/** Gives the browser's tab a title while the component is shown; without one, leaves it as it is. */
export function useTitle(title: string | undefined): void {
  const { product } = useTexts();
  useEffect(() => {
    if (title === undefined) return;
    const before = document.title;
    document.title = `${title} · ${product}`;
    return () => {
      document.title = before;
    };
  }, [title, product]);
}
