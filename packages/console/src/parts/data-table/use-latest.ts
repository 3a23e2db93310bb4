import { useCallback, useLayoutEffect, useRef } from 'react';

/** Returns a function that stays the same and calls the latest one. For events only, not while drawing. */
export function useLatest<Args extends readonly unknown[]>(
  handler: (...args: Args) => void,
): (...args: Args) => void {
  const latest = useRef(handler);
  useLayoutEffect(() => {
    latest.current = handler;
  });
  return useCallback((...args) => latest.current(...args), []);
}
