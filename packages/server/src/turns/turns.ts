import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long work may run before other requests of the process get their turn, in milliseconds. */
const turnMs = 5;

/**
 * Splits long work into turns of the event loop. The work calls {@link isOver} after each small step, and awaits {@link
 * next} once it returns true.
 */
export class Turns {
  #startMs = performance.now();

  isOver(): boolean {
    return performance.now() - this.#startMs >= turnMs;
  }

  async next(): Promise<void> {
    await nextTurn();
    this.#startMs = performance.now();
  }
}

/** Maps like `Array.prototype.map`, but in turns of the event loop. */
export async function mapInTurns<From, To>(
  values: readonly From[],
  map: (value: From, index: number) => To,
): Promise<To[]> {
  const turns = new Turns();
  const mapped: To[] = [];
  for (const [index, value] of values.entries()) {
    mapped.push(map(value, index));
    if (turns.isOver()) await turns.next();
  }
  return mapped;
}
