import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { followPrinting } from '../printing.ts';

/** Returns whether the page is being printed. Components that use it render before the browser lays out the paper. */
export function usePrinting(): boolean {
  const [isPrinting, setIsPrinting] = useState(false);
  useEffect(() => {
    const begin = () => flushSync(() => setIsPrinting(true));
    const end = () => setIsPrinting(false);
    return followPrinting(begin, end);
  }, []);
  return isPrinting;
}
