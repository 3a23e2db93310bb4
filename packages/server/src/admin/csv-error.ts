/** A file cannot be imported; the message names the place and says what must be there. */
export class CsvError extends Error {
  override readonly name = 'CsvError';
  /** Absent when the fault is in no line, as in an empty file. */
  readonly line: number | undefined;
  readonly column: string | undefined;

  constructor(problem: string, line?: number, column?: string) {
    super(problem);
    this.line = line;
    this.column = column;
  }
}
