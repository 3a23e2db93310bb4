/** Asks whether what a form holds may be lost, and goes on by `leave` if it may. */
type Ask = (leave: () => void) => void;

/** One for each form with something to lose, the newest last. */
const asks = new Set<Ask>();

/** Notes a form with something to lose. Returns how to forget it. */
export function noteUnsaved(ask: Ask): () => void {
  asks.add(ask);
  return () => asks.delete(ask);
}

export function isUnsaved(): boolean {
  return asks.size > 0;
}

/** Leaves the page by `leave`, after each form with something to lose has asked and may lose it. */
export function leaveAfterAsking(leave: () => void): void {
  askOthers(new Set(), leave);
}

/** Looks for the next form only now: some may have been saved or closed while another one asked. */
function askOthers(agreed: ReadonlySet<Ask>, leave: () => void): void {
  const ask = [...asks].findLast((one) => !agreed.has(one));
  if (ask === undefined) leave();
  else ask(() => askOthers(new Set([...agreed, ask]), leave));
}
