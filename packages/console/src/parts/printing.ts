/**
 * Calls `begin` before the browser lays out the paper, and `end` when the page is on the screen again. Either may be
 * called more than once in a row. Returns how to stop.
 */
export function followPrinting(begin: () => void, end: () => void): () => void {
  // Safari on phones has no such events, and the developers' tools only pretend to print.
  const paper = matchMedia('print');
  const turn = ({ matches }: { readonly matches: boolean }) => (matches ? begin() : end());
  addEventListener('beforeprint', begin);
  addEventListener('afterprint', end);
  paper.addEventListener('change', turn);
  return () => {
    removeEventListener('beforeprint', begin);
    removeEventListener('afterprint', end);
    paper.removeEventListener('change', turn);
  };
}
