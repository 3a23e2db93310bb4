import { EncodingFault } from '../file-fault.ts';

/**
 * Decodes a text file in pieces of whole lines, without its byte order mark.
 *
 * @param asked a name from the Encoding Standard, such as `utf-8`, `windows-1252`, `gb18030`; without it, that of
 *   {@link encodingOfStart}
 * @throws {EncodingFault} with the line of the first bytes that are invalid in this encoding
 */
export async function* decodeText(chunks: AsyncIterable<Uint8Array>, asked?: string): AsyncIterable<string> {
  const { start, all } = await readStart(chunks);
  const encoding = asked ?? encodingOfStart(start);
  const decoder = new TextDecoder(encoding, { fatal: true });
  let linesBefore = 0;
  for await (const piece of wholeLines(all)) {
    let text: string;
    try {
      text = decoder.decode(piece, { stream: true });
    } catch {
      throw notOfEncoding(encoding, linesBefore + lineOfFault(piece, encoding));
    }
    yield text;
    linesBefore += countLineFeeds(piece);
  }
  yield decodeEnd(decoder, encoding, linesBefore + 1);
}

/** Reads the first {@link startBytes}. Returns them, and all chunks from the first. */
async function readStart(chunks: AsyncIterable<Uint8Array>) {
  const iterator = chunks[Symbol.asyncIterator]();
  const first: Uint8Array[] = [];
  let bytes = 0;
  while (bytes < startBytes) {
    const { value, done } = await iterator.next();
    if (done === true) break;
    first.push(value);
    bytes += value.length;
  }
  async function* all() {
    try {
      yield* first;
      yield* { [Symbol.asyncIterator]: () => iterator };
    } finally {
      await iterator.return?.();
    }
  }
  return { start: joined(first), all: all() };
}

function decodeEnd(decoder: TextDecoder, encoding: string, line: number): string {
  try {
    return decoder.decode();
  } catch {
    throw notOfEncoding(encoding, line);
  }
}

const lineFeed = 10;

/** Most bytes that are kept until their line ends, which a file that is not a table may never have. */
const lineBytesMax = 4 * 1024 * 1024;

/** Returns the chunks in pieces of whole lines. Only a line longer than {@link lineBytesMax} is split. */
async function* wholeLines(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let begun: Uint8Array[] = [];
  let begunBytes = 0;
  for await (const chunk of chunks) {
    const isLong = begunBytes + chunk.length > lineBytesMax;
    const end = chunk.lastIndexOf(lineFeed) + 1 || (isLong ? chunk.length : 0);
    if (end > 0) {
      yield joined([...begun, chunk.subarray(0, end)]);
      begun = [];
      begunBytes = 0;
    }
    begun.push(chunk.subarray(end));
    begunBytes += chunk.length - end;
  }
  yield joined(begun);
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/**
 * Returns the line of the first invalid bytes. The piece begins with a line, and each line can be checked
 * alone, except in UTF-16, where a line feed has a second byte: there the result is at most the second line of
 * the piece.
 */
function lineOfFault(piece: Uint8Array, encoding: string): number {
  let line = 1;
  for (let start = 0; start < piece.length; line++) {
    const end = piece.indexOf(lineFeed, start);
    if (end === -1 || !isRight(piece.subarray(start, end), encoding)) break;
    start = end + 1;
  }
  return line;
}

function isRight(bytes: Uint8Array, encoding: string): boolean {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

function countLineFeeds(bytes: Uint8Array): number {
  let count = 0;
  for (let index = bytes.indexOf(lineFeed); index !== -1; index = bytes.indexOf(lineFeed, index + 1)) count++;
  return count;
}

function notOfEncoding(encoding: string, line: number): EncodingFault {
  if (encoding === 'utf-8') return new EncodingFault({ key: 'notUtf8', values: {} }, line);
  return new EncodingFault({ key: 'otherEncoding', values: { encoding: encoding.toUpperCase() } }, line);
}

/** How many bytes of a file {@link encodingOfStart} looks at. */
export const startBytes = 1024;

/** Returns the encoding that a byte order mark names; without one, UTF-16 if the file begins like a table in it, else UTF-8. */
export function encodingOfStart(start: Uint8Array): string {
  const [first, second] = start;
  // An archive, such as a workbook with another name, is no text.
  if (first === 0x50 && second === 0x4b) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return ['utf-16le', 'utf-16be'].find((encoding) => beginsLikeTable(start, encoding)) ?? 'utf-8';
}

/** UTF-8 without NUL has no separator here: each pair of its bytes is one character, beyond those of ASCII. */
function beginsLikeTable(start: Uint8Array, encoding: string): boolean {
  const text = new TextDecoder(encoding).decode(start.subarray(0, startBytes));
  return /^\P{Cc}*[,;\t\r\n]/u.test(text);
}
