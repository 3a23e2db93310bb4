/** An array or object of a JSON text that is not closed yet. The whole text counts as an array of one value. */
export class OpenContainer {
  readonly parent: OpenContainer | undefined;
  readonly isArray: boolean;
  /** Position of its bracket; -1 for the whole text. */
  readonly start: number;
  readonly level: number;
  /** Position of its last comma, or of its bracket when there is none. */
  lastComma: number;
  commas = 0;
  /** Whether a name, or a value, has begun since its bracket or the last comma or colon. */
  hasToken = false;
  isAfterColon = false;
  /** Holds the pieces parsed so far, once the container is too large to be parsed at once. */
  value: object | undefined;
  /** Its name within a parent object, once it is parsed in pieces. */
  name = '';
  /** Position of the first byte that is not yet in a piece. */
  from: number;
  /** Whether that byte follows a child that was itself assembled from pieces. */
  isAfterChild = false;

  constructor(parent: OpenContainer | undefined, isArray: boolean, start: number) {
    this.parent = parent;
    this.isArray = isArray;
    this.start = start;
    this.level = parent === undefined ? 0 : parent.level + 1;
    this.lastComma = start;
    this.from = start + 1;
  }

  /** The opening bracket; empty for the whole text. */
  get opening(): string {
    return this.parent === undefined ? '' : this.isArray ? '[' : '{';
  }

  get closing(): string {
    return this.parent === undefined ? '' : this.isArray ? ']' : '}';
  }

  beginPieces(): void {
    this.value = this.isArray ? [] : {};
  }

  /** @param piece some of its values, in a container of the same kind */
  add(piece: object): void {
    const { value } = this;
    if (Array.isArray(value)) for (const each of piece as unknown[]) value.push(each);
    else
      for (const [name, each] of Object.entries(piece)) setOwn(value as Record<string, unknown>, name, each);
  }
}

function setOwn(object: Record<string, unknown>, name: string, value: unknown): void {
  // An assignment would set the prototype.
  if (name === '__proto__') {
    Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
  } else {
    object[name] = value;
  }
}
