import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';

/** The longest sequence of UTF-8 that can be unfinished: all but the last of four bytes. */
const unfinishedMax = 3;

/** Computes Content-MD5 and checks UTF-8 of a body piece by piece, so that neither takes long at its end. */
export class BodyChecks {
  readonly #md5 = createHash('md5');
  #isUtf8 = true;
  /** Where the bytes begin that are not checked yet. */
  #md5From = 0;
  #utf8From = 0;

  /** Bytes that were added already. */
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
    if (end <= this.#utf8From) return;
    this.#isUtf8 &&= isUtf8(bytes.subarray(this.#utf8From, end));
    this.#utf8From = end;
  }
}

/** Where the last character begins that may go on in bytes to come. */
function endOfWholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(unfinishedMax, bytes.length); back++) {
    const byte = bytes[bytes.length - back] as number;
    if (byte >= 0xc0) return bytes.length - back;
    if (byte < 0x80) break;
  }
  return bytes.length;
}
