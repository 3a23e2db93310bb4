import type { FileHandle } from 'node:fs/promises';
import { writeCsv } from '@fieldroster/tables';
import { nameIfFull, openOwnFile, readBeginning } from '../files/private-files.ts';
import { UsageError } from '../run-program.ts';
import type { RowResult } from './send-batch.ts';

const heading = writeCsv([['line', 'username', 'outcome', 'code', 'message']]);

/**
 * Checks that an import may replace the file: it is missing, empty or the result of an import.
 *
 * @throws {UsageError} for any other file
 */
export async function requireResultFile(path: string): Promise<void> {
  const beginning = await readBeginning(path, heading.length);
  // A kill or a full disk may have cut the heading off.
  if (heading.startsWith(beginning)) return;
  throw new UsageError(
    `${path} is not the result file of an import, and would be overwritten; move it away, or give another --result`,
  );
}

/** The CSV file with the outcome of every row. */
export class ResultFile implements AsyncDisposable {
  readonly #path: string;
  readonly #file: FileHandle;
  #bytes: number;

  private constructor(path: string, file: FileHandle, bytes: number) {
    this.#path = path;
    this.#file = file;
    this.#bytes = bytes;
  }

  /** Opens the file and cuts it off after `bytes`: what follows describes rows that will be sent again. */
  static async open(path: string, bytes: number): Promise<ResultFile> {
    const file = await openOwnFile(path);
    const { size } = await file.stat();
    if (size < bytes) {
      await file.close();
      throw new UsageError(
        `${path} is shorter than the interrupted import left it; start again with --restart`,
      );
    }
    const result = new ResultFile(path, file, bytes);
    try {
      await file.truncate(bytes);
      if (bytes === 0) await nameIfFull(path, () => result.#append(heading));
      return result;
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Adds the rows, flushes them to disk and returns the new length of the file. */
  async add(results: readonly RowResult[]): Promise<number> {
    const rows = results.map(({ line, username, outcome, code, message }) => [
      String(line),
      username,
      outcome,
      String(code ?? ''),
      message,
    ]);
    await nameIfFull(this.#path, async () => {
      await this.#append(writeCsv(rows));
      await this.#file.datasync();
    });
    return this.#bytes;
  }

  async #append(text: string): Promise<void> {
    const bytes = Buffer.from(text);
    for (let written = 0; written < bytes.length; ) {
      const { bytesWritten } = await this.#file.write(bytes, written, bytes.length - written, this.#bytes);
      written += bytesWritten;
      this.#bytes += bytesWritten;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file.close();
  }
}
