import { OperatorError } from '../../errors/operator-error.ts';
/** Thrown when a list cannot be imported; the message says what is required, and `line` and `column` say where. */
export class ImportFault extends OperatorError {
  override readonly name = 'ImportFault';
  /** Absent when the fault is on no particular line, as in an empty file. */
  readonly line: number | undefined;
  readonly column: string | undefined;

  constructor(problem: string, line?: number, column?: string) {
    super(problem);
    this.line = line;
    this.column = column;
  }
}
