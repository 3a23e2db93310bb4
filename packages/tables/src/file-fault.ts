/** Thrown when a file cannot be imported; no part of it was sent. The message names the line and the fix. */
export class FileFault extends Error {
  override readonly name = 'FileFault';

  constructor(problem: string, line?: number) {
    super(line === undefined ? problem : `line ${line}: ${problem}`);
  }
}

/** The text is not in the encoding that it was read in. */
export class EncodingFault extends FileFault {}
