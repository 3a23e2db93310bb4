import { parseExactJson } from '@fieldroster/client';
import { FileFault, type SourceRow } from '@fieldroster/tables';
import { findJsonFault } from './find-json-fault.ts';

/** As long as a record of a CSV file may be. No user needs so much. */
const lineLengthMax = 16 * 1024 * 1024;

/**
 * Reads a file with one JSON object per line; skips blank lines.
 *
 * @throws {FileFault} for a line that is far too long
 */
export async function* readJsonlRows(texts: AsyncIterable<string>): AsyncIterable<SourceRow[]> {
  let line = 0;
  // A line is joined once, when it is complete: joining it with each piece would take quadratic time.
  let begun: string[] = [];
  let begunLength = 0;
  for await (const text of texts) {
    const lines = text.split('\n');
    const last = lines.pop() ?? '';
    if (lines.length > 0) {
      lines[0] = begun.join('') + lines[0];
      begun = [];
      begunLength = 0;
    }
    begun.push(last);
    begunLength += last.length;
    if (begunLength > lineLengthMax)
      throw new FileFault(
        `more than ${lineLengthMax} characters without a line end; a file of JSON lines has one user in each line`,
        line + 1,
      );
    const rows = lines.map((content) => toRow(content, ++line));
    yield rows.filter((row) => row !== undefined);
  }
  yield [toRow(begun.join(''), line + 1)].filter((row) => row !== undefined);
}

function toRow(content: string, line: number): SourceRow | undefined {
  if (content.trim() === '') return undefined;
  const value = parse(content);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { line, names: [], values: [], problem: problemOf(content), raw: content };
  }
  return { line, names: Object.keys(value), values: Object.values(value) };
}

/** Says where the line stops being JSON, in characters. */
function problemOf(content: string): string {
  const fault = findJsonFault(content);
  if (fault === undefined) return 'the line is not a JSON object';
  return `column ${[...content.slice(0, fault)].length + 1}: the line is not valid JSON from here on`;
}

/** Returns `undefined`, which is not an object either, for anything that is not JSON. */
function parse(content: string): unknown {
  try {
    return parseExactJson(content);
  } catch {
    // The parser's message would quote the line, which may contain a password.
    return undefined;
  }
}
