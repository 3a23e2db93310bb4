/** Where a value stands in its container: an index, or the bytes of its name. */
export type MemberKey = number | { readonly start: number; readonly end: number };

/** An array or object of a JSON text that is not closed yet. The text as a whole counts as an array of one value. */
export class OpenContainer {
  readonly parent: OpenContainer | undefined;
  readonly isArray: boolean;
  /** Position of its bracket; -1 for the text as a whole. */
  readonly start: number;
  readonly level: number;
  /** Where it stands in its parent. */
  readonly memberKey: MemberKey;
  /** Position of the last comma of its own, or of its bracket. */
  lastComma: number;
  /** Index of the current value. */
  index = 0;
  /** The current name of an object, and whether its value has begun. */
  name: MemberKey = 0;
  isAfterColon = false;
  /** What it holds, once that is known: while it is put together of pieces, or after it was parsed with others. */
  value: unknown;
  /** Whether it is put together of pieces, because it is too large to be parsed at once. */
  isInPieces = false;
  /** Position of the first byte that is in no piece yet. */
  from: number;
  /** Whether that byte follows a container which was put together of pieces itself. */
  isAfterChild = false;

  constructor(parent: OpenContainer | undefined, isArray: boolean, start: number) {
    this.parent = parent;
    this.isArray = isArray;
    this.start = start;
    this.level = parent === undefined ? 0 : parent.level + 1;
    this.memberKey = parent?.current ?? 0;
    this.lastComma = start;
    this.from = start + 1;
  }

  /** Where the current value stands. */
  get current(): MemberKey {
    return this.isArray ? this.index : this.name;
  }

  get isText(): boolean {
    return this.parent === undefined;
  }

  /** The bracket that begins it; none for the text as a whole. */
  get opening(): string {
    return this.isText ? '' : this.isArray ? '[' : '{';
  }

  get closing(): string {
    return this.isText ? '' : this.isArray ? ']' : '}';
  }

  beginPieces(): void {
    this.isInPieces = true;
    this.value = this.isArray ? [] : {};
  }

  /** Adds what was parsed of it. */
  add(piece: object): void {
    if (this.isArray) {
      const values = this.value as unknown[];
      for (const each of piece as unknown[]) values.push(each);
    } else {
      for (const [name, each] of Object.entries(piece)) this.set(name, each);
    }
  }

  set(name: string, value: unknown): void {
    const object = this.value as Record<string, unknown>;
    // An assignment would set the prototype.
    if (name === '__proto__') {
      Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
    } else {
      object[name] = value;
    }
  }
}
