import { setImmediate as nextIteration } from 'node:timers/promises';

/** How long work may run before other requests of the process are served, in milliseconds. */
export const sliceMs = 5;

type Resume = () => void;

/** Work that waits for its next slice, the longest wait first. Short work has had less than one slice so far. */
const waiting = { short: [] as Resume[], long: [] as Resume[] };

/** How many of each began to wait before this iteration of the event loop. */
const ready = { short: 0, long: 0 };

/** Whether the next iteration begins with short work. */
let shortIsNext = true;

let turnIsDue = false;

/** When the slice began that all work with {@link nextSlice} shares in this iteration of the event loop. */
let sharedStartMs: number | undefined;

let endOfShared: NodeJS.Immediate | undefined;

/**
 * Resolves in a later iteration of the event loop. Those that wait are resumed one after the other, as long as one slice
 * lasts: a slice of each of twenty bodies would hold up the others twenty times as long. It is not for work within a
 * transaction, on which other writes wait.
 */
export function nextSlice(): Promise<void> {
  return waitIn(waiting.long);
}

function waitIn(queue: Resume[]): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  queue.push(resolve);
  expectTurn();
  return promise;
}

function expectTurn(): void {
  if (turnIsDue) return;
  turnIsDue = true;
  setImmediate(beginTurn);
}

function beginTurn(): void {
  turnIsDue = false;
  endShared();
  beginShared();
  ready.short = waiting.short.length;
  ready.long = waiting.long.length;
  resumeNext();
  shortIsNext = !shortIsNext;
}

/**
 * Every other iteration begins with short work, so that it does not wait for all long work. The others begin with long
 * work, so that a stream of short work cannot hold it up for ever.
 */
function resumeNext(): void {
  const resume = shortIsNext
    ? (takeReady('short') ?? takeReady('long'))
    : (takeReady('long') ?? takeReady('short'));
  if (resume === undefined) return;
  resume();
  // A tick that a microtask asks for comes once no microtask is left, so after what the work does at once.
  queueMicrotask(() => process.nextTick(goOn));
}

function takeReady(kind: keyof typeof ready): Resume | undefined {
  if (ready[kind] === 0) return undefined;
  ready[kind] -= 1;
  return waiting[kind].shift();
}

function goOn(): void {
  if (waiting.short.length + waiting.long.length === 0) return;
  const hasTime = performance.now() - beginShared() < sliceMs;
  if (hasTime && ready.short + ready.long > 0) resumeNext();
  else expectTurn();
}

function beginShared(): number {
  if (sharedStartMs !== undefined) return sharedStartMs;
  endOfShared = setImmediate(endShared);
  sharedStartMs = performance.now();
  return sharedStartMs;
}

function endShared(): void {
  clearImmediate(endOfShared);
  sharedStartMs = undefined;
}

/**
 * Splits long work into slices of time, between which the event loop serves others. The work calls {@link isOver} after
 * each small step, and awaits {@link next} once it returns true.
 */
export class TimeSlice {
  readonly #wait: () => Promise<void>;
  /** When the slice began, or the last step of shared work ended. */
  #fromMs = performance.now();
  #servedMs = 0;

  /**
   * @param wait for the next slice; pass {@link nextSlice} for work that holds up nobody while it waits. All such work
   *   shares one slice of each iteration: many calls may get to a step that needs one in the same iteration
   */
  constructor(wait: () => Promise<void> = nextIteration) {
    this.#wait = wait;
    if (this.#isShared) beginShared();
  }

  get #isShared(): boolean {
    return this.#wait === nextSlice;
  }

  isOver(): boolean {
    const nowMs = performance.now();
    return nowMs - (this.#isShared ? this.#noteStep(nowMs) : this.#fromMs) >= sliceMs;
  }

  /** Returns when the shared slice began. What passed before is no work of this iteration. */
  #noteStep(nowMs: number): number {
    const startMs = beginShared();
    this.#servedMs += nowMs - Math.max(this.#fromMs, startMs);
    this.#fromMs = nowMs;
    return startMs;
  }

  async next(): Promise<void> {
    const isShort = this.#isShared && this.#servedMs < sliceMs;
    await (isShort ? waitIn(waiting.short) : this.#wait());
    this.#fromMs = performance.now();
  }
}

/** Maps like `Array.prototype.map`, but in slices of time. */
export async function mapInSlices<From, To>(
  values: readonly From[],
  timeSlice: TimeSlice,
  map: (value: From, index: number) => To,
): Promise<To[]> {
  const mapped: To[] = [];
  for (const [index, value] of values.entries()) {
    mapped.push(map(value, index));
    if (timeSlice.isOver()) await timeSlice.next();
  }
  return mapped;
}
