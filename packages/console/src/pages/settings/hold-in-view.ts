/** By these the reader moves, or is about to move, something on the page. */
const actions = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/**
 * Scrolls to a section again whenever the sections change their sizes, which they do as their contents arrive, until the
 * reader acts. The router scrolls once, before this page is there if its code is still on its way. Returns how to stop.
 */
export function holdInView(section: HTMLElement): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  const end = () => ended.abort();
  const observer = new ResizeObserver(() => section.scrollIntoView());
  signal.addEventListener('abort', () => observer.disconnect());
  for (const action of actions) addEventListener(action, end, { signal, capture: true, passive: true });
  observer.observe(section.parentElement ?? section);
  return end;
}
