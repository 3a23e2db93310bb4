const minuteMs = 60_000;

const listeners = new Set<() => void>();

let passed = 0;
let timer: ReturnType<typeof setInterval> | undefined;

/** Counts the minutes while anything on the page depends on how late it is. */
export const minutes = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    timer ??= setInterval(pass, minuteMs);
    return () => {
      listeners.delete(listener);
      if (listeners.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    };
  },
  read: () => passed,
};

function pass(): void {
  passed++;
  for (const listener of listeners) listener();
}
