/** A file cannot be imported at all, and nothing of it was sent; the message names the line and the cure. */
export class FileFault extends Error {
  override readonly name = 'FileFault';

  constructor(problem: string, line?: number) {
    super(line === undefined ? problem : `line ${line}: ${problem}`);
  }
}
