import { setImmediate as nextTurn } from 'node:timers/promises';

/** Time that work may take before the other requests of the process get their turn, in milliseconds. */
const turnMs = 5;

/**
 * Cuts long work into turns of the event loop. The work asks {@link isOver} after each small step, and awaits
 * {@link next} when it is.
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

/** Maps like the method of arrays, in turns of the event loop. */
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
