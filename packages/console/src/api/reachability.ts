let isReachable = true;
const listeners = new Set<() => void>();

/** Notes whether the last call was answered by the server. */
export function noteReachable(next: boolean): void {
  if (next === isReachable) return;
  isReachable = next;
  for (const listener of listeners) listener();
}

export function readReachable(): boolean {
  return isReachable;
}

export function subscribeReachable(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
