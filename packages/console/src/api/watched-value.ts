/** A value outside React that parts of the page follow by `useSyncExternalStore`. */
export interface WatchedValue<Value> {
  readonly read: () => Value;
  readonly write: (next: Value) => void;
  readonly subscribe: (listener: () => void) => () => void;
}

export function watchedValue<Value>(initial: Value): WatchedValue<Value> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    read: () => value,
    write(next) {
      if (next === value) return;
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
