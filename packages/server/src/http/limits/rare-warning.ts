import { atMostEvery } from '../../logging/at-most-every.ts';

const intervalMs = 10_000;

/**
 * Warns of events that clients can cause at will: at most every ten seconds, with the number of all events so far.
 */
export class RareWarning {
  readonly #warn: (fields: object, message: string) => void;
  #count = 0;
  readonly #mayWarn = atMostEvery(intervalMs);

  constructor(warn: (fields: object, message: string) => void) {
    this.#warn = warn;
  }

  /** Events so far, including those that were not logged. */
  get count(): number {
    return this.#count;
  }

  /** @param fields what is known of this event; those of the events in between are not logged */
  note(fields: object, messageOf: (count: number) => string): void {
    this.#count += 1;
    if (this.#mayWarn()) this.#warn(fields, messageOf(this.#count));
  }
}
