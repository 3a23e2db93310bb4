import { breakOf, JsonProblem, notJson, parseExactJson, tooDeep, tooLong } from './exact-json.ts';
import {
  backslash,
  closingBrace,
  closingBracket,
  colon,
  comma,
  cutString,
  isBlank,
  isNumberByte,
  isNumberStart,
  openingBrace,
  openingBracket,
  quote,
  space,
} from './json-bytes.ts';
import { OpenContainer } from './open-container.ts';

/** Bytes parsed at once; the worst texts take a few milliseconds. */
const sliceBytesDefault = 32 * 1024;

/** Limits on a text. */
export interface JsonLimits {
  readonly levelsMax: number;
  readonly valuesMax: number;
  /** Names in a single object. */
  readonly namesMax: number;
  /** Bytes of a single string, name or number. A longer string value without escapes is cut to this length. */
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
  readonly #bytes: Buffer;
  readonly #limits: JsonLimits;
  readonly #sliceBytes: number;
  readonly #parseSlice: (text: string) => unknown;
  readonly #text = new OpenContainer(undefined, true, -1);
  #at = 0;
  #values = 1;
  /** The innermost open container. */
  #open = this.#text;
  /** The innermost open container that is assembled from pieces. */
  #inPieces = this.#text;
  /** Position of the string value whose end is looked for, because it is longer than a token may be. */
  #longString: number | undefined;
  /** What was cut from the latest long string. The parser does not get it: only blanks are left there. */
  #cut = { from: 0, to: 0 };
  /** How far characters have been counted, for the position of an error. */
  #counted = { bytes: 0, characters: 0 };

  /** @param bytes UTF-8, without a byte order mark */
  constructor(
    bytes: Buffer,
    limits: JsonLimits,
    { sliceBytes = sliceBytesDefault, parse = parseExactJson }: Slicing = {},
  ) {
    this.#sliceBytes = sliceBytes;
    this.#parseSlice = parse;
    this.#bytes = bytes;
    this.#limits = limits;
    this.#text.beginPieces();
  }

  /** The value, once {@link readSlice} has returned true. */
  get value(): unknown {
    return (this.#text.value as unknown[])[0];
  }

  /**
   * Reads the next slice. Returns true at the end of the text.
   *
   * @throws {JsonProblem}
   */
  readSlice(): boolean {
    const end = Math.min(this.#bytes.length, this.#at + this.#sliceBytes);
    while (this.#at < end)
      this.#at =
        this.#longString === undefined ? this.#readToken(this.#at) : this.#readOn(this.#longString, end);
    if (this.#at < this.#bytes.length) return false;
    if (this.#longString !== undefined) throw tooLong(this.#limits.tokenBytesMax);
    this.#end();
    return true;
  }

  /** Returns the position after the token. */
  #readToken(at: number): number {
    const byte = this.#bytes[at] as number;
    if (byte === quote) return this.#readString(at);
    if (byte === comma) this.#separate(at);
    else if (byte === colon) this.#open.isAfterColon = true;
    else if (byte === openingBrace || byte === openingBracket) this.#begin(byte === openingBracket, at);
    else if (byte === closingBrace || byte === closingBracket) this.#close(byte === closingBracket, at);
    else if (isNumberStart(byte)) return this.#readNumber(at);
    return at + 1;
  }

  #readString(start: number): number {
    const bytes = this.#bytes;
    const lastAt = Math.min(bytes.length, start + this.#limits.tokenBytesMax);
    let at = start + 1;
    while (at < lastAt && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
    const end = Math.min(at + 1, bytes.length);
    const open = this.#open;
    const isName = !open.isArray && !open.isAfterColon;
    if (!isName && end - start > this.#limits.tokenBytesMax) {
      this.#longString = start;
      return start + 1;
    }
    this.#requireShort(start, end);
    if (isName) open.name = { start, end };
    return end;
  }

  /**
   * Looks for the end of a string value that is too long to be parsed, and cuts it there: unknown fields may be as long as
   * the body, but no known field is. Refuses the string if it has escapes or control characters.
   */
  #readOn(start: number, to: number): number {
    for (let at = this.#at; at < to; at++) {
      const byte = this.#bytes[at] as number;
      if (byte === quote) {
        const from = cutString(this.#bytes, { start, end: at + 1, bytesMax: this.#limits.tokenBytesMax });
        this.#cut = { from, to: at + 1 };
        this.#longString = undefined;
        return at + 1;
      }
      if (byte === backslash || byte < space) throw tooLong(this.#limits.tokenBytesMax);
    }
    return to;
  }

  #readNumber(start: number): number {
    const lastAt = Math.min(this.#bytes.length, start + this.#limits.tokenBytesMax + 1);
    let at = start + 1;
    while (at < lastAt && isNumberByte(this.#bytes[at] as number)) at++;
    this.#requireShort(start, at);
    return at;
  }

  #requireShort(start: number, end: number): void {
    if (end - start > this.#limits.tokenBytesMax) throw tooLong(this.#limits.tokenBytesMax);
  }

  #count(): void {
    this.#values += 1;
    const { valuesMax } = this.#limits;
    if (this.#values > valuesMax) {
      throw new JsonProblem(`holds more than ${valuesMax} values; send it in several requests`);
    }
  }

  #requireFewNames(names: number): void {
    const { namesMax } = this.#limits;
    if (names > namesMax)
      throw new JsonProblem(
        `has an object with more than ${namesMax} names; send only the fields that the operation has`,
      );
  }

  #begin(isArray: boolean, at: number): void {
    this.#count();
    this.#open = new OpenContainer(this.#open, isArray, at);
    const { levelsMax } = this.#limits;
    if (this.#open.level > levelsMax) throw tooDeep(levelsMax);
  }

  #separate(at: number): void {
    const open = this.#open;
    if (open.parent === undefined) this.#failAt(at);
    this.#count();
    if (at - this.#inPieces.from >= this.#sliceBytes) {
      this.#beginPieces(open);
      this.#takePiece(open, at);
    } else if (open.isAfterChild) {
      this.#takePiece(open, at);
    }
    open.commas += 1;
    if (!open.isArray) this.#requireFewNames(open.commas + 1);
    open.isAfterColon = false;
    open.lastComma = at;
  }

  #close(isArray: boolean, at: number): void {
    const open = this.#open;
    const { parent } = open;
    if (parent === undefined || open.isArray !== isArray) this.#failAt(at);
    else {
      if (open.value !== undefined) this.#closeInPieces(open, parent, at);
      this.#open = parent;
    }
  }

  #closeInPieces(open: OpenContainer, parent: OpenContainer, at: number): void {
    this.#takePiece(open, at);
    // A computed name defines a property, even if it is __proto__.
    parent.add(parent.isArray ? [open.value] : { [this.#nameOf(open)]: open.value });
    parent.from = at + 1;
    parent.isAfterChild = true;
    this.#inPieces = parent;
  }

  #end(): void {
    const text = this.#text;
    const { length } = this.#bytes;
    if (this.#open !== text) this.#failAt(length);
    if (text.isAfterChild) this.#requireBlank(text.from, length);
    else text.value = [this.#parse(text, text.from, length, '')];
  }

  /** Switches the container and its ancestors to pieces. */
  #beginPieces(container: OpenContainer): void {
    const { parent } = container;
    if (container.value !== undefined || parent === undefined) return;
    this.#beginPieces(parent);
    if (parent.lastComma >= parent.from) this.#takePiece(parent, parent.lastComma);
    if (parent.isAfterChild) this.#failAtFirstOf(parent.from);
    // Only a name and a colon, or nothing, may precede its bracket. The parser checks that, with an empty container in
    // its place.
    const empty = container.opening + container.closing;
    this.#parse(parent, parent.from, container.start, empty + parent.closing);
    container.beginPieces();
    this.#inPieces = container;
  }

  /** Parses a container's values up to `end`, which is a comma or its bracket. */
  #takePiece(open: OpenContainer, end: number): void {
    if (open.isAfterChild) {
      this.#requireBlank(open.from, end);
      open.isAfterChild = false;
    } else {
      if (isBlank(this.#bytes, open.from, end)) throw notJson(this.#characterAt(end), false);
      open.add(this.#parse(open, open.from, end, open.closing) as object);
    }
    open.from = end + 1;
  }

  /** @param closing completes the piece to a JSON text */
  #parse(open: OpenContainer, from: number, end: number, closing: string): unknown {
    const { opening } = open;
    const startCharacter = this.#characterAt(from);
    const cut = this.#cut.from >= from && this.#cut.to <= end ? this.#cut : { from: end, to: end };
    const beforeCut = this.#bytes.toString('utf8', from, cut.from);
    const piece = beforeCut + this.#bytes.toString('utf8', cut.to, end);
    const cutLength = cut.to - cut.from;
    try {
      const value = this.#parseSlice(opening + piece + closing);
      this.#counted = { bytes: end, characters: startCharacter + piece.length + cutLength };
      return value;
    } catch (error) {
      const position = breakOf(error, opening + piece + closing);
      if (position === undefined) throw notJson(undefined, false);
      const inPiece = position - opening.length;
      const inText = startCharacter + inPiece + (inPiece < beforeCut.length ? 0 : cutLength);
      throw notJson(inText, end === this.#bytes.length && inPiece === piece.length);
    }
  }

  /** Fails at a misplaced byte: the parser finds it, or an error before it. */
  #failAt(at: number): never {
    const open = this.#inPieces;
    if (open.isAfterChild) this.#failAtFirstOf(open.from);
    this.#parse(open, open.from, Math.min(at + 1, this.#bytes.length), '');
    throw notJson(undefined, false);
  }

  #failAtFirstOf(from: number): never {
    let at = from;
    while (at < this.#bytes.length && isBlank(this.#bytes, at, at + 1)) at++;
    throw notJson(this.#characterAt(at), at === this.#bytes.length);
  }

  #requireBlank(from: number, end: number): void {
    if (!isBlank(this.#bytes, from, end)) this.#failAtFirstOf(from);
  }

  #nameOf({ ownName: { start, end } }: OpenContainer): string {
    return JSON.parse(this.#bytes.toString('utf8', start, end)) as string;
  }

  /**
   * Returns the position in UTF-16 code units, as the parser counts. Must not be called for an earlier byte than
   * before.
   */
  #characterAt(at: number): number {
    const { bytes, characters } = this.#counted;
    const more = this.#bytes.toString('utf8', bytes, at).length;
    this.#counted = { bytes: at, characters: characters + more };
    return characters + more;
  }
}
