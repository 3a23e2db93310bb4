// The bytes that have a meaning in a JSON text.
export const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
export const [openingBracket, closingBracket] = [0x5b, 0x5d];
export const [openingBrace, closingBrace] = [0x7b, 0x7d];
const [digit0, digit9, minus] = [0x30, 0x39, 0x2d];
const [lowerE, upperE, plus, point] = [0x65, 0x45, 0x2b, 0x2e];
export const space = 0x20;
const [lineFeed, carriageReturn, tab] = [0x0a, 0x0d, 0x09];

/** Returns whether a number may begin with the byte. */
export function isNumberStart(byte: number): boolean {
  return isDigit(byte) || byte === minus;
}

/** Returns whether a number may contain the byte. */
export function isNumberByte(byte: number): boolean {
  return (
    isDigit(byte) || byte === point || byte === minus || byte === plus || byte === lowerE || byte === upperE
  );
}

function isDigit(byte: number): boolean {
  return byte >= digit0 && byte <= digit9;
}

/** Returns whether the bytes from `from` up to `end`, exclusive, are only white space. */
export function isBlank(bytes: Uint8Array, from: number, end: number): boolean {
  for (let at = from; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte !== space && byte !== lineFeed && byte !== carriageReturn && byte !== tab) return false;
  }
  return true;
}

interface LongString {
  /** Position of its opening quote. */
  readonly start: number;
  /** Position after its closing quote. */
  readonly end: number;
  /** Bytes that it may have, quotes included. */
  readonly bytesMax: number;
}

/** Cuts a string without escapes between two characters, overwrites the rest with blanks, and returns where they begin. */
export function cutString(bytes: Uint8Array, { start, end, bytesMax }: LongString): number {
  let cutAt = start + bytesMax - 1;
  while (isInsideCharacter(bytes[cutAt] as number)) cutAt--;
  bytes[cutAt] = quote;
  bytes.fill(space, cutAt + 1, end);
  return cutAt + 1;
}

/** Returns whether the byte continues a character of UTF-8. */
function isInsideCharacter(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}
