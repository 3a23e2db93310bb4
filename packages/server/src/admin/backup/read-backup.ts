import { basename } from 'node:path';
import { migrations } from '../../database/migrations/migrations.ts';
import { copiedTables } from '../../database/queries/imports/copy-tables.ts';
import {
  type Row,
  type Table,
  TableSummarizer,
  type TableSummary,
} from '../../database/queries/imports/table-summarizer.ts';
import {
  BackupFileError,
  type BackupHeader,
  type BackupManifest,
  decodeRow,
  formatName,
  formatVersion,
  type HeaderLine,
  type ManifestLine,
  type TableLine,
} from './backup-format.ts';
import { readCompressedLines, readToEnd } from './compressed-lines.ts';
import { isCompleteStream } from './is-complete-stream.ts';

const rowsAtOnce = 1_000;

/** A restore skips a million ids, which 64 bits must still hold. */
const lastUserIdMax = 2n ** 62n;

/** Up to this many characters, a line is parsed at once. In a longer one the values are counted first. */
const plainLineMax = 1024 * 1024;

/** The most values of a longer line: a row has one for each column, and most of a long line is one text. */
const valuesOfLineMax = 10_000;

/** The parts of a backup, in order: one header, then rows, then one manifest. */
export type BackupPart = HeaderLine | { readonly table: Table; readonly rows: readonly Row[] } | ManifestLine;

/**
 * Reads a backup from its beginning to its end. The rows agree with the manifest once that is returned; until then they
 * may come from a damaged file.
 *
 * @throws {BackupFileError} when the file is not a backup, was made by a newer release, or is damaged or truncated
 */
export async function* readBackup(file: string): AsyncGenerator<BackupPart> {
  const content = new BackupContent(file);
  try {
    for await (const lines of readCompressedLines(file)) {
      for (const line of lines) yield* content.add(line);
      yield* content.flush();
    }
  } catch (error) {
    if (error instanceof ForeignHeaderError) await requireIntact(file);
    throw toFileError(file, error);
  }
  content.requireEnd();
  // Node.js does not report bytes after the end of the stream.
  if (!(await isCompleteStream(file))) throw damaged(file, 'something follows its end');
}

/** Thrown for a header that this release does not read. */
class ForeignHeaderError extends BackupFileError {}

/** Tells a damaged header, which can claim anything, from a foreign one, by the checksum at the end of the stream. */
async function requireIntact(file: string): Promise<void> {
  await readToEnd(file).catch((error: unknown) => {
    throw toFileError(file, error);
  });
  if (!(await isCompleteStream(file))) throw damaged(file, 'it is not a complete zstd stream');
}

function toFileError(file: string, error: unknown): unknown {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return new BackupFileError(`there is no file ${file}`);
  if (error instanceof BackupFileError || /^E[A-Z]+$/.test(code)) return error;
  if (code === 'ZSTD_error_prefix_unknown') return new BackupFileError(notBackup(file));
  // These errors quote what they could not read, which may be personal data.
  if (error instanceof SyntaxError || error instanceof RangeError)
    return damaged(file, 'it contains a line that cannot occur in a backup');
  return damaged(file, message, { cause: error });
}

function notBackup(file: string): string {
  return `${file} is not a Fieldroster backup, or its beginning is damaged: name another file`;
}

function damaged(file: string, reason: string, options?: ErrorOptions): BackupFileError {
  return new BackupFileError(
    `${file} is damaged or truncated (${reason}); nothing was restored from it: use another backup`,
    options,
  );
}

/** Checks the lines against each other, and gathers rows. */
class BackupContent {
  readonly #file: string;
  readonly #summaries: TableSummary[] = [];
  #header: BackupHeader | undefined;
  #table:
    | { readonly name: Table; readonly columns: readonly string[]; readonly sum: TableSummarizer }
    | undefined;
  #rows: Row[] = [];
  #ended = false;

  constructor(file: string) {
    this.#file = file;
  }

  *add(line: string): Generator<BackupPart> {
    if (this.#ended) throw damaged(this.#file, 'something follows its manifest');
    if (line.length > plainLineMax && hasManyValues(line))
      throw damaged(this.#file, 'it contains a line that cannot occur in a backup');
    const parsed = JSON.parse(line) as unknown;
    if (this.#header === undefined) {
      this.#header = this.#readHeader(parsed as Partial<HeaderLine>);
      yield { header: this.#header };
    } else if (Array.isArray(parsed)) {
      if (this.#table === undefined) throw damaged(this.#file, 'a row has no table');
      this.#rows.push(decodeRow(parsed, this.#table.columns));
      if (this.#rows.length >= rowsAtOnce) yield* this.flush();
    } else if (hasManifest(parsed)) {
      yield* this.#endTable();
      yield { manifest: this.#checkManifest(parsed.manifest, this.#header) };
      this.#ended = true;
    } else {
      yield* this.#endTable();
      this.#beginTable(parsed as TableLine);
    }
  }

  *flush(): Generator<BackupPart> {
    const [table, rows] = [this.#table, this.#rows];
    if (table === undefined || rows.length === 0) return;
    this.#rows = [];
    table.sum.add(rows);
    yield { table: table.name, rows };
  }

  requireEnd(): void {
    if (!this.#ended) throw damaged(this.#file, 'it has no manifest at its end');
  }

  #readHeader({ header }: Partial<HeaderLine>): BackupHeader {
    if (header?.format !== formatName) {
      throw new ForeignHeaderError(notBackup(this.#file));
    }
    const wrong = wrongFieldOf(header);
    if (wrong !== undefined) throw damaged(this.#file, `its header has no valid ${wrong}`);
    const unknown = header.migrations.filter((name) => !(name in migrations));
    if (header.version > formatVersion || unknown.length > 0) {
      throw new ForeignHeaderError(
        `${basename(this.#file)} was made by the newer release ${header.release}, whose tables this release does not ` +
          `know (${unknown.join(', ') || `format ${header.version}`}); restore it with that release`,
      );
    }
    return header;
  }

  #beginTable({ table, columns }: TableLine): void {
    if (!isTable(table)) throw damaged(this.#file, `it has an unknown table ${JSON.stringify(table)}`);
    this.#table = { name: table, columns, sum: new TableSummarizer(table) };
  }

  *#endTable(): Generator<BackupPart> {
    yield* this.flush();
    if (this.#table !== undefined) this.#summaries.push(this.#table.sum.summary());
    this.#table = undefined;
  }

  #checkManifest(manifest: BackupManifest, header: BackupHeader): BackupManifest {
    if (JSON.stringify(manifest) !== JSON.stringify({ ...header, tables: this.#summaries })) {
      throw damaged(this.#file, 'its rows do not agree with its manifest');
    }
    return manifest;
  }
}

/** Returns the name of a header field with a value that no release writes. A restore empties the tables that it names. */
function wrongFieldOf(header: Readonly<Record<keyof BackupHeader, unknown>>): string | undefined {
  const areValid: Readonly<Record<string, boolean>> = {
    version: typeof header.version === 'number',
    migrations: areAll(header.migrations, (name) => typeof name === 'string'),
    table_names: areAll(header.table_names, isTable),
    last_user_id:
      typeof header.last_user_id === 'string' &&
      /^\d{1,19}$/.test(header.last_user_id) &&
      BigInt(header.last_user_id) <= lastUserIdMax,
    release: typeof header.release === 'string' && /^[\w.+-]{1,100}$/.test(header.release),
    at:
      typeof header.at === 'string' &&
      /^[\d.:TZ-]{1,30}$/.test(header.at) &&
      !Number.isNaN(Date.parse(header.at)),
  };
  return Object.keys(areValid).find((name) => !areValid[name]);
}

/** Returns whether a line has more brackets and commas, outside its texts, than one of a backup. Parsed, they take gigabytes. */
function hasManyValues(line: string): boolean {
  let values = 0;
  for (let at = 0; at < line.length && values <= valuesOfLineMax; at += 1) {
    const character = line[at];
    if (character === '"') at = endOfText(line, at);
    else if (character === '[' || character === '{' || character === ',') values += 1;
  }
  return values > valuesOfLineMax;
}

/** Returns where the text ends that begins with the quotation mark at a position. */
function endOfText(line: string, start: number): number {
  let end = line.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(line, end)) end = line.indexOf('"', end + 1);
  return end === -1 ? line.length : end;
}

function isEscaped(line: string, at: number): boolean {
  let backslashes = 0;
  while (line[at - 1 - backslashes] === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}

function areAll(values: unknown, is: (value: unknown) => boolean): boolean {
  return Array.isArray(values) && values.every(is);
}

function isTable(name: unknown): name is Table {
  return copiedTables.some((known) => known === name);
}

function hasManifest(line: unknown): line is ManifestLine {
  return typeof line === 'object' && line !== null && 'manifest' in line;
}
