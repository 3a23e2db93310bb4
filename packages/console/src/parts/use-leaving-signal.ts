import { useCallback, useEffect, useRef } from 'react';

/** Returns what gives the signal that is aborted as soon as the component is left. */
export function useLeavingSignal(): () => AbortSignal {
  const leaving = useRef(new AbortController());
  useEffect(() => {
    const controller = new AbortController();
    leaving.current = controller;
    return () => controller.abort();
  }, []);
  return useCallback(() => leaving.current.signal, []);
}
