import { type CsvError as ParseError, type Parser, parse } from 'csv-parse';
import { CsvError } from './csv-error.ts';
import { LineCounter, requireUtf8 } from './csv-lines.ts';

export interface CsvRecord {
  /** Number of the line on which it begins, from 1. */
  readonly line: number;
  readonly fields: readonly string[];
}

/** Far more than any valid row, so that an unclosed quote does not swallow the whole file. */
const recordBytesMax = 65_536;

/**
 * Yields the records of a CSV file, grouped by chunk of input. Skips blank lines.
 *
 * @throws {CsvError} for invalid UTF-8 and unmatched quotes
 */
export async function* readCsvRecords(bytes: AsyncIterable<Uint8Array>): AsyncIterable<CsvRecord[]> {
  const lines = new LineCounter();
  let records: CsvRecord[] = [];
  const parser = parse({
    bom: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    skip_empty_lines: true,
    relax_column_count: true,
    max_record_size: recordBytesMax,
    on_record(fields: string[], { bytes: end }) {
      records.push({ line: lines.lineOfRecord(end), fields });
      return null;
    },
  });
  const feed = feeder(parser, lines);
  for await (const chunk of requireUtf8(bytes)) {
    lines.add(chunk);
    await feed(chunk);
    yield records;
    records = [];
  }
  await feed();
  yield records;
}

/** Returns a function that passes the parser a chunk, or the end, and waits until it is parsed. */
function feeder(parser: Parser, lines: LineCounter): (chunk?: Uint8Array) => Promise<void> {
  parser.resume();
  return (chunk) =>
    new Promise((resolve, reject) => {
      parser.once('error', (error) => reject(explain(error as ParseError, lines)));
      const done = () => {
        parser.removeAllListeners('error');
        resolve();
      };
      if (chunk === undefined) parser.once('end', done).end();
      else parser.write(chunk, (error) => error ?? done());
    });
}

const problems: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is opened and not closed',
  CSV_MAX_RECORD_SIZE: `the row is longer than ${recordBytesMax} bytes; perhaps a quote is not closed`,
  CSV_INVALID_CLOSING_QUOTE: 'a quote within a quoted value must be doubled',
  INVALID_OPENING_QUOTE: 'a value with a quote in it must be quoted as a whole, and the quote doubled',
};

function explain(error: ParseError, lines: LineCounter): Error {
  const problem = problems[error.code];
  return problem === undefined ? error : new CsvError(problem, lines.lineOfNext());
}
