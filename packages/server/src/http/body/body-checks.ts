import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';

/** Longest incomplete UTF-8 sequence: three of four bytes. */
const unfinishedMax = 3;

/** Computes a body's Content-MD5 and checks its UTF-8 piece by piece, so that neither takes long at the end. */
export class BodyChecks {
  readonly #md5 = createHash('md5');
  #isUtf8 = true;
  /** Offsets of the first bytes not yet processed. */
  #md5From = 0;
  #utf8From = 0;

  /** Bytes added so far. */
  get addedBytes(): number {
    return this.#md5From;
  }

  /** @param bytes all of the body so far */
  add(bytes: Buffer): void {
    this.#md5.update(bytes.subarray(this.#md5From));
    this.#md5From = bytes.length;
    this.#checkUtf8(bytes, endOfWholeCharacters(bytes));
  }

  /** @param bytes the whole body */
  finish(bytes: Buffer): { readonly md5: string; readonly isUtf8: boolean } {
    this.add(bytes);
    this.#checkUtf8(bytes, bytes.length);
    return { md5: this.#md5.digest('base64'), isUtf8: this.#isUtf8 };
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
