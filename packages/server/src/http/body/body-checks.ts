import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { nextSlice, TimeSlice } from '../../slices/time-slice.ts';

/** Bytes that are hashed and checked in one go, which takes 0.1 ms. */
const stepBytes = 64 * 1024;

/** Longest incomplete UTF-8 sequence: three of four bytes. */
const unfinishedMax = 3;

/**
 * Computes a body's Content-MD5 and checks its UTF-8 as it arrives, as far as the slices of time allow that all bodies
 * share: two hundred that arrive in one iteration of the event loop would take 20 ms.
 */
export class BodyChecks {
  readonly #timeSlice = new TimeSlice(nextSlice);
  readonly #md5 = createHash('md5');
  #isUtf8 = true;
  /** Offsets of the first bytes not yet processed. */
  #md5From = 0;
  #utf8From = 0;

  /** @param bytes all of the body so far */
  add(bytes: Buffer): void {
    while (bytes.length - this.#md5From >= stepBytes && !this.#timeSlice.isOver())
      this.#step(bytes.subarray(0, this.#md5From + stepBytes));
  }

  /** @param bytes the whole body */
  async finish(bytes: Buffer): Promise<{ readonly md5: string; readonly isUtf8: boolean }> {
    while (this.#md5From < bytes.length) {
      if (this.#timeSlice.isOver()) await this.#timeSlice.next();
      this.#step(bytes.subarray(0, this.#md5From + stepBytes));
    }
    this.#checkUtf8(bytes, bytes.length);
    return { md5: this.#md5.digest('base64'), isUtf8: this.#isUtf8 };
  }

  #step(bytes: Buffer): void {
    this.#md5.update(bytes.subarray(this.#md5From));
    this.#md5From = bytes.length;
    this.#checkUtf8(bytes, endOfWholeCharacters(bytes));
  }

  #checkUtf8(bytes: Buffer, end: number): void {
    this.#isUtf8 &&= isUtf8(bytes.subarray(this.#utf8From, end));
    this.#utf8From = end;
  }
}

/** Returns the offset of the last character when it may be incomplete, otherwise the length. */
function endOfWholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(unfinishedMax, bytes.length); back++) {
    const byte = bytes[bytes.length - back] as number;
    if (byte >= 0xc0) return bytes.length - back;
    if (byte < 0x80) break;
  }
  return bytes.length;
}
