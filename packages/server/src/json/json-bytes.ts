// The bytes that have a meaning in a JSON text.
export const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
export const [openingBracket, closingBracket] = [0x5b, 0x5d];
export const [openingBrace, closingBrace] = [0x7b, 0x7d];
export const space = 0x20;
const [lineFeed, carriageReturn, tab] = [0x0a, 0x0d, 0x09];

const blanks = tableOf([space, lineFeed, carriageReturn, tab]);
const ends = tableOf([
  ...[space, lineFeed, carriageReturn, tab, quote, comma, colon],
  ...[openingBracket, closingBracket, openingBrace, closingBrace],
]);

function tableOf(bytes: readonly number[]): Uint8Array {
  const table = new Uint8Array(256);
  for (const byte of bytes) table[byte] = 1;
  return table;
}

/** Returns whether the byte is white space. */
export function isBlank(byte: number): boolean {
  return blanks[byte] === 1;
}

/** Returns whether a word (a number, `true`, `false`, `null`, or what the parser will refuse) ends before the byte. */
export function endsWord(byte: number): boolean {
  return ends[byte] === 1;
}

interface Range {
  /** Position of the first byte. */
  readonly from: number;
  /** Position after the last byte. */
  readonly to: number;
}

interface LongString {
  /** Position of its opening quote. */
  readonly start: number;
  /** Position after its closing quote. */
  readonly end: number;
  /** Bytes that it may have between its quotes. */
  readonly bytesMax: number;
}

/** Part of a JSON text, without what was cut from it. */
interface JsonPiece {
  readonly text: string;
  /**
   * Converts a position in the piece to one in the whole text, both in UTF-16 code units. A byte that was cut counts as
   * one.
   */
  readonly inWhole: (position: number) => number;
}

/** A JSON text in UTF-8, read from its beginning to its end without what is cut from it. */
export class CutText {
  readonly bytes: Buffer;
  /** What is cut from the bytes that have not been read. */
  readonly #cuts: Range[] = [];
  /** How far the text has been read. */
  #read = { bytes: 0, characters: 0 };

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  /** Cuts bytes that follow all those cut before. */
  cut(from: number, to: number): void {
    this.#cuts.push({ from, to });
  }

  /** Cuts a string without escapes between two characters. */
  cutString({ start, end, bytesMax }: LongString): void {
    let cutAt = start + bytesMax + 1;
    while (isInsideCharacter(this.bytes[cutAt] as number)) cutAt--;
    this.bytes[cutAt] = quote;
    this.cut(cutAt + 1, end);
  }

  /** Returns the position of a byte that has not been read, in UTF-16 code units. */
  characterAt(at: number): number {
    this.#readTo(at);
    return this.#read.characters;
  }

  /** Reads bytes that follow all those read before. */
  read(from: number, end: number): JsonPiece {
    const start = this.characterAt(from);
    const { text, cuts } = this.#readTo(end);
    const inWhole = (position: number) =>
      cuts.reduce((sum, cut) => sum + (cut.at <= position ? cut.length : 0), start + position);
    return { text, inWhole };
  }

  #readTo(end: number) {
    let { bytes: from } = this.#read;
    let text = '';
    const cuts: { at: number; length: number }[] = [];
    for (let cut = this.#cuts[0]; cut !== undefined && cut.from < end; cut = this.#cuts[0]) {
      text += this.bytes.toString('utf8', from, cut.from);
      cuts.push({ at: text.length, length: cut.to - cut.from });
      from = cut.to;
      this.#cuts.shift();
    }
    text += this.bytes.toString('utf8', from, end);
    const characters = cuts.reduce((sum, { length }) => sum + length, this.#read.characters + text.length);
    this.#read = { bytes: end, characters };
    return { text, cuts };
  }
}

/** Returns whether the byte continues a character of UTF-8. */
function isInsideCharacter(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}
