/** Asks whether typed text may be thrown away, and goes on by `leave` if it may. */
type Ask = (leave: () => void) => void;

/** One for each form with unsaved text. */
const asks = new Set<Ask>();

/** Notes a form with unsaved text. Returns how to forget it. */
export function noteUnsaved(ask: Ask): () => void {
  asks.add(ask);
  return () => asks.delete(ask);
}

/** Leaves the page by `leave`, after asking if anything on it is unsaved. */
export function leaveAfterAsking(leave: () => void): void {
  const ask = [...asks].at(-1);
  if (ask === undefined) leave();
  else ask(leave);
}
