/** Leaves room in the log for the lines that say what else happens during a long fault. */
const repeatAfterMs = 10_000;

/**
 * Passes a message on unless it repeats the one before within ten seconds.
 * Work that is tried several times a second would otherwise fill the log with one line.
 *
 * @param now milliseconds of a clock that does not jump
 */
export function limitRepeats(
  passOn: (text: string) => void,
  now: () => number = () => performance.now(),
): (text: string) => void {
  let last: { readonly text: string; readonly atMs: number } | undefined;
  return (text) => {
    const nowMs = now();
    if (text === last?.text && nowMs < last.atMs + repeatAfterMs) return;
    last = { text, atMs: nowMs };
    passOn(text);
  };
}
