import {
  breakOf,
  notJson,
  parseExactJson,
  tooDeep,
  tooLong,
  tooLongName,
  tooManyNames,
  tooManyValues,
} from './exact-json.ts';
import {
  backslash,
  CutText,
  closingBrace,
  closingBracket,
  colon,
  comma,
  endsWord,
  isBlank,
  openingBrace,
  openingBracket,
  quote,
  space,
} from './json-bytes.ts';
import { OpenContainer } from './open-container.ts';

/** Bytes parsed at once; the worst texts take a few milliseconds. */
const sliceBytesDefault = 32 * 1024;

/** Longer runs of white space are cut: the parser would take as long for 30 MiB of blanks as for anything else. */
const blanksMax = 256;

/** Limits on a text. */
export interface JsonLimits {
  readonly levelsMax: number;
  readonly valuesMax: number;
  /** Names in a single object. */
  readonly namesMax: number;
  /** Bytes of a single name, without its quotes. */
  readonly nameBytesMax: number;
  /** Bytes of a single string, without its quotes, or number. A longer string without escapes is cut to this length. */
  readonly tokenBytesMax: number;
}

interface Slicing {
  readonly sliceBytes?: number;
  /** Parses a JSON text; throws `SyntaxError`. */
  readonly parse?: (text: string) => unknown;
}

/**
 * Parses a JSON text slice by slice. It finds where values begin and end; a parser, {@link parseExactJson} unless
 * another is given, parses as many of them at once as fit a slice.
 */
export class SlicedJson {
  readonly #text: CutText;
  readonly #limits: JsonLimits;
  readonly #sliceBytes: number;
  readonly #parseSlice: (text: string) => unknown;
  readonly #whole = new OpenContainer(undefined, true, -1);
  #at = 0;
  /** Position after the last byte that is not white space. */
  #lastEnd = 0;
  #values = 1;
  /** The innermost open container. */
  #open = this.#whole;
  /** The innermost open container that is assembled from pieces. */
  #inPieces = this.#whole;
  /** Position of the string value whose end is looked for, because it is longer than a token may be. */
  #longString: number | undefined;

  /** @param bytes UTF-8, without a byte order mark */
  constructor(
    bytes: Buffer,
    limits: JsonLimits,
    { sliceBytes = sliceBytesDefault, parse = parseExactJson }: Slicing = {},
  ) {
    this.#sliceBytes = sliceBytes;
    this.#parseSlice = parse;
    this.#text = new CutText(bytes);
    this.#limits = limits;
    this.#whole.beginPieces();
  }

  /** The value, once {@link readSlice} has returned true. */
  get value(): unknown {
    return (this.#whole.value as unknown[])[0];
  }

  /**
   * Reads the next slice. Returns true at the end of the text.
   *
   * @throws {JsonProblem}
   */
  readSlice(): boolean {
    const { length } = this.#text.bytes;
    const end = Math.min(length, this.#at + this.#sliceBytes);
    while (this.#at < end)
      this.#at =
        this.#longString === undefined ? this.#readToken(this.#at) : this.#readOn(this.#longString, end);
    if (this.#at < length) return false;
    if (this.#longString !== undefined) throw tooLong(this.#limits.tokenBytesMax);
    this.#end(length);
    return true;
  }

  /** Returns the position after the token, or after a byte of white space. */
  #readToken(at: number): number {
    const byte = this.#text.bytes[at] as number;
    if (isBlank(byte)) return at + 1;
    this.#cutBlanks(at);
    this.#lastEnd = this.#readSolid(byte, at);
    return this.#lastEnd;
  }

  /** Cuts the white space before the position. One blank stays, without which `1 2` would become another number. */
  #cutBlanks(at: number): void {
    if (at - this.#lastEnd > blanksMax) this.#text.cut(this.#lastEnd + 1, at);
  }

  #readSolid(byte: number, at: number): number {
    if (byte === quote) return this.#readString(at);
    if (byte === comma) this.#separate(at);
    else if (byte === colon) this.#readColon(at);
    else if (byte === openingBrace || byte === openingBracket) this.#begin(byte === openingBracket, at);
    else if (byte === closingBrace || byte === closingBracket) this.#close(byte === closingBracket, at);
    else return this.#readWord(at);
    return at + 1;
  }

  #readString(start: number): number {
    this.#beginToken(start);
    const { bytes } = this.#text;
    const { nameBytesMax, tokenBytesMax } = this.#limits;
    const isName = !this.#open.isArray && !this.#open.isAfterColon;
    const bytesMax = isName ? nameBytesMax : tokenBytesMax;
    const lastAt = Math.min(bytes.length, start + bytesMax + 2);
    let at = start + 1;
    while (at < lastAt && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
    if (at - start - 1 <= bytesMax) return Math.min(at + 1, bytes.length);
    if (isName) throw tooLongName(nameBytesMax);
    this.#longString = start;
    return start + 1;
  }

  /**
   * Looks for the end of a string value that is too long to be parsed, and cuts it there: unknown fields may be as long as
   * the body, but no known field is. Refuses the string if it has escapes or control characters.
   */
  #readOn(start: number, to: number): number {
    const { tokenBytesMax: bytesMax } = this.#limits;
    for (let at = this.#at; at < to; at++) {
      const byte = this.#text.bytes[at] as number;
      if (byte === quote) {
        this.#text.cutString({ start, end: at + 1, bytesMax });
        this.#longString = undefined;
        this.#lastEnd = at + 1;
        return at + 1;
      }
      if (byte === backslash || byte < space) throw tooLong(bytesMax);
    }
    return to;
  }

  #readWord(start: number): number {
    this.#beginToken(start);
    const { bytes } = this.#text;
    const { tokenBytesMax } = this.#limits;
    const lastAt = Math.min(bytes.length, start + tokenBytesMax + 1);
    let at = start + 1;
    while (at < lastAt && !endsWord(bytes[at] as number)) at++;
    if (at - start > tokenBytesMax) throw tooLong(tokenBytesMax);
    return at;
  }

  /** Fails when two tokens follow each other without a comma or colon. */
  #beginToken(at: number): void {
    if (this.#open.hasToken) this.#failAt(at);
    this.#open.hasToken = true;
  }

  #readColon(at: number): void {
    const open = this.#open;
    if (open.isArray || open.isAfterColon || !open.hasToken) this.#failAt(at);
    open.isAfterColon = true;
    open.hasToken = false;
  }

  #count(): void {
    this.#values += 1;
    const { valuesMax } = this.#limits;
    if (this.#values > valuesMax) throw tooManyValues(valuesMax);
  }

  #begin(isArray: boolean, at: number): void {
    this.#beginToken(at);
    this.#count();
    this.#open = new OpenContainer(this.#open, isArray, at);
    const { levelsMax } = this.#limits;
    if (this.#open.level > levelsMax) throw tooDeep(levelsMax);
    if (this.#fillsSlice(at)) this.#beginPieces(this.#open);
  }

  #separate(at: number): void {
    const open = this.#open;
    if (open.parent === undefined || !open.hasToken) this.#failAt(at);
    this.#count();
    if (open.isAfterChild || this.#fillsSlice(at)) {
      this.#beginPieces(open);
      this.#takePiece(open, at);
    }
    open.commas += 1;
    const { namesMax } = this.#limits;
    if (!open.isArray && open.commas >= namesMax) throw tooManyNames(namesMax);
    open.isAfterColon = false;
    open.hasToken = false;
    open.lastComma = at;
  }

  #fillsSlice(at: number): boolean {
    return at - this.#inPieces.from >= this.#sliceBytes;
  }

  #close(isArray: boolean, at: number): void {
    const open = this.#open;
    const { parent } = open;
    const isAfterComma = !open.hasToken && (open.commas > 0 || open.isAfterColon);
    if (parent === undefined || open.isArray !== isArray || isAfterComma) this.#failAt(at);
    if (open.value !== undefined) this.#closeInPieces(open, parent, at);
    this.#open = parent;
  }

  #closeInPieces(open: OpenContainer, parent: OpenContainer, at: number): void {
    if (open.hasToken) this.#takePiece(open, at);
    // A computed name defines a property, even if it is __proto__.
    parent.add(parent.isArray ? [open.value] : { [open.name]: open.value });
    parent.from = at + 1;
    parent.isAfterChild = true;
    this.#inPieces = parent;
  }

  #end(length: number): void {
    const whole = this.#whole;
    this.#cutBlanks(length);
    if (this.#open !== whole) this.#failAt(length);
    if (!whole.isAfterChild) whole.value = [this.#parse(whole, length, '')];
  }

  /** Switches the container and its ancestors to pieces. */
  #beginPieces(container: OpenContainer): void {
    const { parent } = container;
    if (container.value !== undefined || parent === undefined) return;
    this.#beginPieces(parent);
    if (parent.lastComma >= parent.from) this.#takePiece(parent, parent.lastComma);
    // Only a name and a colon, or nothing, may precede its bracket. The parser checks that, with an empty container in
    // its place.
    const empty = container.opening + container.closing;
    const named = this.#parse(parent, container.start, empty + parent.closing);
    if (!parent.isArray) container.name = Object.keys(named as object)[0] as string;
    container.beginPieces();
    this.#inPieces = container;
  }

  /** Parses a container's values up to `end`, which is a comma or its bracket. */
  #takePiece(open: OpenContainer, end: number): void {
    if (!open.isAfterChild) open.add(this.#parse(open, end, open.closing) as object);
    open.isAfterChild = false;
    open.from = end + 1;
  }

  /**
   * Parses a container from its first byte that is not yet in a piece.
   *
   * @param closing completes the piece to a JSON text
   */
  #parse({ opening, from }: OpenContainer, end: number, closing: string): unknown {
    const piece = this.#text.read(from, end);
    const completed = opening + piece.text + closing;
    try {
      return this.#parseSlice(completed);
    } catch (error) {
      const position = breakOf(error, completed);
      if (position === undefined) throw notJson(undefined, false);
      const inPiece = position - opening.length;
      const isEnd = end === this.#text.bytes.length && inPiece === piece.text.length;
      throw notJson(piece.inWhole(inPiece), isEnd);
    }
  }

  /** Fails at a misplaced byte: the parser finds it, or an error before it. */
  #failAt(at: number): never {
    const { length } = this.#text.bytes;
    const open = this.#inPieces;
    const isFirst = open.isAfterChild || this.#lastEnd <= open.from;
    if (isFirst) throw notJson(this.#text.characterAt(at), at === length);
    this.#parse(open, Math.min(at + 1, length), '');
    throw notJson(undefined, false);
  }
}
