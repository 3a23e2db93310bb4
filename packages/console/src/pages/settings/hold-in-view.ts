import { untilReaderActs } from '../../parts/page/until-reader-acts.ts';

/**
 * Scrolls to a section again whenever the sections change their sizes, which they do as their contents arrive, until the
 * reader acts or that takes too long. The router scrolls once, before this page is there if its code is still on its way.
 * Returns how to stop.
 */
export function holdInView(section: HTMLElement): () => void {
  const ended = untilReaderActs();
  const observer = new ResizeObserver(() => section.scrollIntoView());
  ended.signal.addEventListener('abort', () => observer.disconnect());
  observer.observe(section.parentElement ?? section);
  return () => ended.abort();
}
