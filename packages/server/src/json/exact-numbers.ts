import type { MemberKey, OpenContainer } from './open-container.ts';

interface Found {
  readonly container: OpenContainer;
  readonly memberKey: MemberKey;
  readonly start: number;
  readonly text: string;
}

/** No more digits than 64 bits have. */
const integerText = /^-?\d{1,19}$/;

/**
 * The numbers of a JSON text that `JSON.parse` may have rounded. They are put right one by one after their
 * surroundings are parsed: a reviver would be called for every value beside them.
 */
export class ExactNumbers {
  readonly #bytes: Buffer;
  #found: Found[] = [];

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** To be called for each number whose digits a double may not hold, or that is written with an exponent. */
  note(container: OpenContainer, start: number, end: number): void {
    const text = this.#bytes.toString('latin1', start, end);
    this.#found.push({ container, memberKey: container.current, start, text });
  }

  /** Puts right all that stand before this position; the text before it is parsed. */
  putRight(before: number): void {
    const found = this.#found;
    if (found.length === 0 || (found[0] as Found).start >= before) return;
    let count = 0;
    while (count < found.length && (found[count] as Found).start < before) {
      this.#putRight(found[count] as Found);
      count += 1;
    }
    this.#found = found.slice(count);
  }

  #putRight({ container, memberKey, text }: Found): void {
    const value = this.#valueOf(container);
    if (typeof value !== 'object' || value === null) return;
    const key = this.#keyOf(memberKey);
    const rounded = Number(text);
    // Of a name that is there twice the last value counts, which may be another one.
    const now = (value as Record<string, unknown>)[key];
    if ((typeof now !== 'number' && typeof now !== 'bigint') || Number(now) !== rounded) return;
    const isLong = !Number.isSafeInteger(rounded) && integerText.test(text);
    (value as Record<string, unknown>)[key] = isLong ? BigInt(text) : rounded;
  }

  /** What became of a container. */
  #valueOf(container: OpenContainer): unknown {
    if (container.value !== undefined || container.parent === undefined) return container.value;
    const parent = this.#valueOf(container.parent);
    const isObject = typeof parent === 'object' && parent !== null;
    container.value = isObject ? (parent as Record<string, unknown>)[this.#keyOf(container.memberKey)] : null;
    return container.value;
  }

  #keyOf(memberKey: MemberKey): string {
    if (typeof memberKey === 'number') return String(memberKey);
    return JSON.parse(this.#bytes.toString('utf8', memberKey.start, memberKey.end)) as string;
  }
}
