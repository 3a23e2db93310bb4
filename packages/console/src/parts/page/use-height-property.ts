import { useEffect } from 'react';

/**
 * Keeps the height of an element in a custom property of the page, 0 without one, so that styles elsewhere can leave
 * room for it.
 */
export function useHeightProperty(element: Element | null, name: `--${string}`): void {
  useEffect(() => {
    const { style } = document.documentElement;
    if (element === null) return;
    const observer = new ResizeObserver(() =>
      style.setProperty(name, `${Math.ceil(element.getBoundingClientRect().height)}px`),
    );
    observer.observe(element);
    return () => {
      observer.disconnect();
      style.removeProperty(name);
    };
  }, [element, name]);
}
