import { useSyncExternalStore } from 'react';

const storageKey = 'fieldroster-density';

const listeners = new Set<() => void>();

/**
 * Returns whether the rows of tables are dense, and a function that changes it for every table. This browser remembers
 * it.
 */
export function useDensity(): { readonly isDense: boolean; readonly setDense: (isDense: boolean) => void } {
  return { isDense: useSyncExternalStore(subscribe, readDense), setDense };
}

function readDense(): boolean {
  return localStorage.getItem(storageKey) === 'dense';
}

function setDense(isDense: boolean): void {
  if (isDense) localStorage.setItem(storageKey, 'dense');
  else localStorage.removeItem(storageKey);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
