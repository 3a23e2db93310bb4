import { stripVTControlCharacters } from 'node:util';

/**
 * Writes to standard output and waits if the reader is slower. On a terminal, it escapes the characters that steer it:
 * JSON may contain some of them, and CSV any. In JSON, which has them only in strings, the value stays the same.
 * Returns false when the text is lost, because nobody reads it or the disk is full. A command that could go on printing
 * for long must then end. `runProgram` reports a full disk.
 */
export function print(text: string): Promise<boolean> {
  return new Promise((resolve) => {
    const written = process.stdout.isTTY ? escapeSteering(text) : text;
    process.stdout.write(written, (error) => resolve(error === undefined || error === null));
  });
}

/**
 * Matches a character that steers a terminal or is drawn as nothing, apart from joiners, marks of direction and variation
 * selectors, with which texts are spelled.
 */
const unseen = String.raw`(?![\u200c-\u200f\u061c\ufe00-\ufe0f])[\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]`;
const unseenOrLineEnd = new RegExp(unseen, 'gu');
const unseenInLine = new RegExp(`(?!\\r\\n|[\\n\\t])${unseen}`, 'gu');

/**
 * Escapes characters that steer a terminal or are drawn as nothing, except line ends and tabs, as in a JSON string:
 * `\u001b` for Escape.
 */
export function escapeSteering(text: string): string {
  return text.replaceAll(
    unseenInLine,
    // A character outside the basic plane is two units.
    (character) =>
      Array.from({ length: character.length }, (_, unit) => escapeUnit(character.charCodeAt(unit))).join(''),
  );
}

function escapeUnit(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`;
}

/** Prints a remark to standard error, so that scripts do not read it. */
export function warn(text: string): void {
  process.stderr.write(`fieldroster: ${process.stderr.isTTY ? escapeSteering(text) : text}\n`);
}

/** Prints a notice of the server's code in the same way. */
export function warnOfNotice(_fields: object, message: string): void {
  warn(message);
}

/** How to print the rows of a list. */
export interface Listing<Row> {
  readonly headings: readonly string[];
  readonly cells: (row: Row) => readonly string[];
  /** Returns the row as JSON. */
  readonly json: (row: Row) => string;
}

const batchSize = 1000;

/** Prints a list as it arrives, so that a million rows are never held at once. */
export async function printList<Row>(
  rows: AsyncIterable<Row> | Iterable<Row>,
  listing: Listing<Row>,
  json: boolean,
): Promise<void> {
  if (json) await printJson(rows, listing);
  else await printTable(rows, listing);
}

async function printJson<Row>(
  rows: AsyncIterable<Row> | Iterable<Row>,
  { json }: Listing<Row>,
): Promise<void> {
  let separator = '[';
  for await (const batch of batches(rows)) {
    if (!(await print(separator + batch.map(json).join(',\n ')))) return;
    separator = ',\n ';
  }
  await print(separator === '[' ? '[]\n' : ']\n');
}

async function printTable<Row>(
  rows: AsyncIterable<Row> | Iterable<Row>,
  listing: Listing<Row>,
): Promise<void> {
  let widths: number[] | undefined;
  for await (const batch of batches(rows)) {
    const cells = batch.map((row) => listing.cells(row).map(printable));
    // Later batches are aligned with the first one; a wider value shifts only its own line.
    const lines = widths === undefined ? [listing.headings, ...cells] : cells;
    widths ??= listing.headings.map((_, column) =>
      Math.max(...lines.map((line) => widthOf(line[column] ?? ''))),
    );
    if (!(await print(lines.map((line) => `${align(line, widths as number[])}\n`).join('')))) return;
  }
  if (widths === undefined) await print(`${listing.headings.join('  ')}\n`);
}

/** Groups rows that are written together. */
export async function* batches<Row>(rows: AsyncIterable<Row> | Iterable<Row>): AsyncIterable<Row[]> {
  let batch: Row[] = [];
  for await (const row of rows) {
    batch.push(row);
    if (batch.length < batchSize) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function align(cells: readonly string[], widths: readonly number[]): string {
  return cells
    .map((cell, column) => cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - widthOf(cell))))
    .join('  ')
    .trimEnd();
}

/**
 * Removes control characters, line separators and characters that change the direction of text, so that a stored name
 * cannot move the cursor, recolour the operator's terminal or reorder what is printed beside it.
 */
export function printable(text: string): string {
  return stripVTControlCharacters(text).replaceAll(unseenOrLineEnd, '�');
}

/**
 * Shortens every word of 500 characters or more to its beginning and its end. If somebody pastes a whole file as a
 * value, the rest of the message stays in view.
 */
export function abridge(text: string): string {
  return text.replaceAll(/(\S{60})\S{420,}(\S{20})/gu, '$1…$2');
}

const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;

/** Returns how many columns a string takes on a terminal; an East Asian character takes two. */
function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += wide.test(character) ? 2 : 1;
  return width;
}
