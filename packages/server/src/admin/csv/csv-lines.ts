import { isUtf8 } from 'node:buffer';
import { CsvError } from './csv-error.ts';

const lineFeed = 10;
const carriageReturn = 13;

/**
 * Finds the line on which a record begins. The parser's count cannot be used: it gives the line on which a record ends,
 * and counts some line endings within quotes twice.
 */
export class LineCounter {
  #chunks: Uint8Array[] = [];
  /** Index of the next byte within the first chunk. */
  #index = 0;
  /** Number of bytes passed so far. */
  #passed = 0;
  #line = 1;
  #previous = 0;

  add(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
  }

  /** Returns the line of the next record, which ends before byte `end` of the file, and moves on to there. */
  lineOfRecord(end: number): number {
    const line = this.lineOfNext();
    for (let chunk = this.#current(); chunk !== undefined && this.#passed < end; chunk = this.#current()) {
      this.#pass(chunk, Math.min(chunk.length, this.#index + end - this.#passed));
    }
    return line;
  }

  /** Returns the line of the next byte that is not a line ending. */
  lineOfNext(): number {
    let chunk = this.#current();
    while (chunk !== undefined && isLineEnd(chunk[this.#index])) {
      this.#pass(chunk, this.#index + 1);
      chunk = this.#current();
    }
    return this.#line;
  }

  /** Returns the chunk that holds the next byte, if any. */
  #current(): Uint8Array | undefined {
    while (this.#chunks[0] !== undefined && this.#index >= this.#chunks[0].length) {
      this.#chunks.shift();
      this.#index = 0;
    }
    return this.#chunks[0];
  }

  /** Passes the bytes of the chunk before index `stop`. It sees every byte of a file, so it must be fast. */
  #pass(chunk: Uint8Array, stop: number): void {
    let previous = this.#previous;
    for (let index = this.#index; index < stop; index++) {
      const byte = chunk[index] as number;
      const secondOfPair = byte === lineFeed && previous === carriageReturn;
      if (isLineEnd(byte) && !secondOfPair) this.#line++;
      previous = byte;
    }
    this.#previous = previous;
    this.#passed += stop - this.#index;
    this.#index = stop;
  }
}

function isLineEnd(byte: number | undefined): boolean {
  return byte === lineFeed || byte === carriageReturn;
}

/** Yields chunks as long as they are UTF-8. Throws `CsvError` with the line of the first byte that is not. */
export async function* requireUtf8(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let carried: Uint8Array = new Uint8Array();
  let line = 1;
  for await (const chunk of chunks) {
    const bytes = carried.length > 0 ? Buffer.concat([carried, chunk]) : chunk;
    const whole = bytes.subarray(0, bytes.length - incompleteBytes(bytes));
    if (!isUtf8(whole)) throw notUtf8(line + invalidLine(whole));
    line += countLineFeeds(whole);
    carried = bytes.subarray(whole.length);
    yield chunk;
  }
  if (carried.length > 0) throw notUtf8(line);
}

function notUtf8(line: number): CsvError {
  return new CsvError('must be UTF-8 text', line);
}

/** Returns how many bytes at the end belong to a character that the next chunk completes. */
function incompleteBytes(bytes: Uint8Array): number {
  for (let count = 1; count <= Math.min(3, bytes.length); count++) {
    const byte = bytes[bytes.length - count] ?? 0;
    if (byte >= 0xc0) return characterBytes(byte) > count ? count : 0;
    if (byte < 0x80) return 0;
  }
  return 0;
}

function characterBytes(first: number): number {
  if (first >= 0xf0) return 4;
  return first >= 0xe0 ? 3 : 2;
}

/**
 * Returns the index of the first line that is not UTF-8. No other character contains a line feed's byte, so each line
 * can be checked separately.
 */
function invalidLine(bytes: Uint8Array): number {
  let line = 0;
  for (let start = 0; start < bytes.length; line++) {
    const end = bytes.indexOf(lineFeed, start);
    if (end === -1 || !isUtf8(bytes.subarray(start, end))) break;
    start = end + 1;
  }
  return line;
}

function countLineFeeds(bytes: Uint8Array): number {
  let count = 0;
  for (let index = bytes.indexOf(lineFeed); index !== -1; index = bytes.indexOf(lineFeed, index + 1)) count++;
  return count;
}
