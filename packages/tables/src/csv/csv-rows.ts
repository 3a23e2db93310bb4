import type { Problem } from '@fieldroster/contract/problems';
import { type CsvError, type Parser, parse } from '#csv-parse';
import { FileFault } from '../file-fault.ts';
import { type SourceRow, TableHeader } from '../source-row.ts';

/** More than any user's row needs. Stops an unclosed quote from swallowing the whole file. */
const recordBytesMax = 16 * 1024 * 1024;

/**
 * Reads the rows of a CSV file, in pieces as large as those of its text. The first row is the header, without values.
 *
 * @param delimiter separates values; by default the one that a first line of `sep=` names, or else the one that is
 *   detected in the first line that is not blank
 * @throws {FileFault} for unbalanced quotes, and for a delimiter that is seen but not recognized
 */
export async function* readCsvRows(
  texts: AsyncIterable<string>,
  delimiter: string | undefined,
): AsyncIterable<SourceRow[]> {
  const reader = new CsvReader();
  let feed: Feed | undefined;
  for await (const text of withWholeFirstLine(texts)) {
    if (feed === undefined) {
      const named = separatorLine.exec(text);
      feed = feeder(reader.parser(delimiter ?? named?.[2] ?? findDelimiter(text)), reader);
      // The end of that line stays, and counts as a blank line.
      await feed(text.slice(named?.[0].length));
    } else await feed(text);
    yield reader.takeRows();
  }
  await feed?.();
  yield reader.takeRows();
}

/** A line that is not blank, with its end. */
const wholeLine = /[^\r\n][\r\n]/;

/** Joins the first texts up to the end of the first line that is not blank. A chunk of UTF-16 may end within it. */
async function* withWholeFirstLine(texts: AsyncIterable<string>): AsyncIterable<string> {
  let begun: string | undefined = '';
  for await (const text of texts) {
    if (begun === undefined) yield text;
    else {
      begun += text;
      if (begun.length <= recordBytesMax && !wholeLine.test(begun)) continue;
      yield begun;
      begun = undefined;
    }
  }
  if (begun !== undefined) yield begun;
}

/** Excel takes the separator from such a line, and some programs write one for it. */
const separatorLine = /^("?)sep=([^"\r\n])\1(?=[\r\n]|$)/i;

class CsvReader {
  readonly #header = new TableHeader();
  #rows: SourceRow[] = [];
  /** Line on which the next record begins. */
  line = 1;

  takeRows(): SourceRow[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  parser(delimiter: string): Parser {
    return parse({
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      max_record_size: recordBytesMax,
      on_record: (record: readonly string[]) => this.#take(record),
    });
  }

  /** Counts lines here: the parser counts to the end of a record, and counts some quoted line ends twice. */
  #take(record: readonly string[]): null {
    const row = this.#header.toRow(this.line, record);
    if (row !== undefined) this.#rows.push(row);
    this.line += 1;
    for (const value of record) this.line += countLineEnds(value);
    return null;
  }
}

const lineEnd = /\r\n|\n|\r/;

function countLineEnds(value: string): number {
  return value.includes('\n') || value.includes('\r') ? value.split(lineEnd).length - 1 : 0;
}

type Feed = (text?: string) => Promise<void>;

/** Returns a function that passes a text, or the end, to the parser and waits until it is parsed. */
function feeder(parser: Parser, reader: CsvReader): Feed {
  parser.resume();
  return (text) =>
    new Promise((resolve, reject) => {
      parser.once('error', (error) => reject(explain(error as CsvError, reader.line)));
      const done = () => {
        parser.removeAllListeners('error');
        resolve();
      };
      if (text === undefined) parser.once('end', done).end();
      else parser.write(text, (error) => error ?? done());
    });
}

const problems: Readonly<Record<string, Problem>> = {
  CSV_QUOTE_NOT_CLOSED: { key: 'quoteNotClosed', values: {} },
  CSV_MAX_RECORD_SIZE: { key: 'rowTooLong', values: { max: recordBytesMax } },
  CSV_INVALID_CLOSING_QUOTE: { key: 'quoteNotDoubled', values: {} },
  INVALID_OPENING_QUOTE: { key: 'quoteInside', values: {} },
};

/** Replaces the parser's messages, which quote the file and so may contain passwords. */
function explain({ code }: CsvError, line: number): FileFault {
  return new FileFault(problems[code] ?? { key: 'notCsv', values: { code } }, line);
}

const delimiters = [',', ';', '\t'];

/** Not recognized, because a name in a line with another delimiter may have several of it. */
const otherDelimiter = '|';

/** Spreadsheets separate with semicolons where numbers use a decimal comma. */
function findDelimiter(text: string): string {
  const lines = text.replace(/"[^"]*"/g, '').split(lineEnd);
  const firstLine = lines.find((line) => line !== '') ?? '';
  const counts = delimiters.map((delimiter) => firstLine.split(delimiter).length);
  if (Math.max(...counts) === 1 && firstLine.includes(otherDelimiter))
    throw new FileFault(
      { key: 'otherDelimiter', values: { delimiter: otherDelimiter } },
      lines.indexOf(firstLine) + 1,
    );
  return delimiters[counts.indexOf(Math.max(...counts))] as string;
}
