import type { ExplainedSurvivor } from './explained-survivor.ts';

const bodies = 'packages/server/src/http/body';
const onlySavesTime = 'The shortcut only saves time: the code after it comes to the same result.';
const checkedLater = 'More bytes are left to the next piece or to the end, and checked there.';

/** Explained changes in the folder `http/body`. */
export const explainedInBodies: readonly ExplainedSurvivor[] = [
  {
    file: `${bodies}/arrival-watch.ts`,
    line: 'if (this.#windows.size === 0) return;',
    code: 'this.#windows.size === 0',
    replacement: 'false',
    reason: onlySavesTime,
  },
  {
    file: `${bodies}/body-checks.ts`,
    line: 'for (let back = 1; back <= Math.min(unfinishedMax, bytes.length); back++) {',
    code: 'Math.min(unfinishedMax, bytes.length)',
    replacement: 'Math.max(unfinishedMax, bytes.length)',
    reason: checkedLater,
  },
  {
    file: `${bodies}/body-checks.ts`,
    line: 'if (byte < 0x80) break;',
    code: 'byte < 0x80',
    replacement: 'false',
    reason: checkedLater,
  },
  {
    file: `${bodies}/body-checks.ts`,
    line: 'if (byte >= 0xc0) return bytes.length - back;',
    code: 'byte >= 0xc0',
    replacement: 'byte > 0xc0',
    reason: 'The byte 0xc0 is in no UTF-8, wherever the pieces are cut.',
  },
  {
    file: `${bodies}/kept-bytes.ts`,
    line: 'if (this.#buffer !== chunk) chunk.copy(this.#buffer as Buffer, this.#length);',
    code: 'this.#buffer !== chunk',
    replacement: 'true',
    reason: 'Copying a chunk onto itself changes nothing, and only takes time.',
  },
  {
    file: `${bodies}/kept-bytes.ts`,
    line: 'const isWhole = this.#buffer === undefined && chunk.length === this.#options.announcedBytes;',
    code: 'this.#buffer === undefined',
    replacement: 'true',
    reason:
      'No later chunk is as long as the whole body: Node.js passes on no empty chunk, and no more than announced.',
  },
  {
    file: `${bodies}/kept-bytes.ts`,
    line: 'this.#stopWaiting?.();',
    code: 'this.#stopWaiting?.()',
    replacement: 'this.#stopWaiting()',
    reason: 'A body that waits has the function; only the type says that it may have none.',
  },
  {
    file: `${bodies}/unread-bodies.ts`,
    line: "if (headers['content-type'] === undefined) return;",
    code: "headers['content-type'] === undefined",
    replacement: 'false',
    reason: onlySavesTime,
  },
  {
    file: `${bodies}/small-bodies.ts`,
    line: 'const slow = taken > most ? this.#slowOf(name) : undefined;',
    code: 'taken > most',
    replacement: 'taken >= most',
    reason: 'Of two holders that have equally much, either may give way.',
  },
  {
    file: `${bodies}/expect-continue.ts`,
    line: "return headers['transfer-encoding'] !== undefined || (length !== undefined && Number(length) > 0);",
    code: 'length !== undefined',
    replacement: 'true',
    reason: 'undefined makes no number above 0; the comparison is there for the type checker.',
  },
];
