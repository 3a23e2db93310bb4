import { type Problem, problemInEnglish } from '@fieldroster/contract/problems';
import { ValueProblem } from './read-value.ts';

/** What is wrong with a row, as one English text and as data. */
export interface WrongRow {
  readonly problem: string;
  readonly faults: readonly Problem[];
}

/** A row whose values are shifted by a column has a mistake in each of them. */
const shownMax = 5;

/** Collects the mistakes of a row, so that all of them can be corrected before the next import. */
export class RowMistakes {
  readonly #faults: Problem[] = [];
  readonly #fields = new Set<string>();

  /** Returns the value of a field, or `undefined` if reading it finds a mistake. */
  collect<Value>(field: string, read: () => Value): Value | undefined {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof ValueProblem)) throw error;
      this.add(error.problem);
      this.#fields.add(field);
      return undefined;
    }
  }

  add(fault: Problem): void {
    this.#faults.push(fault);
  }

  /** Returns whether the value of the field has a mistake. */
  has(field: string): boolean {
    return this.#fields.has(field);
  }

  get isEmpty(): boolean {
    return this.#faults.length === 0;
  }

  /** Returns the first mistakes and how many follow; `undefined` if there is none. */
  describe(): WrongRow | undefined {
    if (this.isEmpty) return undefined;
    const more = this.#faults.length - shownMax;
    const faults: readonly Problem[] =
      more <= 0
        ? this.#faults
        : [...this.#faults.slice(0, shownMax), { key: 'moreMistakes', values: { count: more } }];
    return { problem: inOneText(faults), faults };
  }
}

/** Numbers the mistakes if there are several; the count of further ones gets no number. */
function inOneText(faults: readonly Problem[]): string {
  const said = faults.map((fault) => ({ fault, text: problemInEnglish(fault) }));
  const numbered = said.map(({ fault: { key }, text }, index) =>
    said.length === 1 || key === 'moreMistakes' ? text : `(${index + 1}) ${text}`,
  );
  return numbered.join('; ');
}
