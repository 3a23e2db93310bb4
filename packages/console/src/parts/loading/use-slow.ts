import { useEffect, useState } from 'react';

/** Shorter waits need no word, which would only flicker. */
const slowMs = 300;

/** Returns whether something has been under way for long enough to say so. */
export function useSlow(isUnderWay: boolean): boolean {
  const [isSlow, setIsSlow] = useState(false);
  useEffect(() => {
    if (!isUnderWay) return;
    const timer = setTimeout(() => setIsSlow(true), slowMs);
    return () => {
      clearTimeout(timer);
      setIsSlow(false);
    };
  }, [isUnderWay]);
  return isSlow;
}
