/** Events by which the reader moves, or is about to move, something on the page. */
const actions = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/** How long what fills the page may take to arrive, in milliseconds. Later, a jump would only disturb. */
const longestWaitMs = 10_000;

/** Returns a controller that aborts by itself when the reader acts, or when the page has had enough time to fill. */
export function untilReaderActs(): AbortController {
  const ended = new AbortController();
  const { signal } = ended;
  const end = () => ended.abort();
  const timer = setTimeout(end, longestWaitMs);
  signal.addEventListener('abort', () => clearTimeout(timer));
  for (const action of actions) addEventListener(action, end, { signal, capture: true, passive: true });
  return ended;
}
