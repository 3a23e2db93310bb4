import { getSystemErrorMessage } from 'node:util';
import { withinMs } from '../time/within-ms.ts';
import { atMostEvery } from './at-most-every.ts';
import { BoundedWriter } from './bounded-writer.ts';
import { logLine } from './logger.ts';

/** Where the lines of the log go. */
export interface LogOutput {
  write(line: string): void;
  /** Writes at once what is gathered, for a reader who waits for it. */
  flush(): void;
  /** Resolves once everything is written, or the wait for a reader is over. */
  end(): Promise<void>;
}

/** Takes and returns whole lines, each with its line feed. */
export type LineFormat = (line: string) => string;

const asJson: LineFormat = (line) => line;

/** Sizes of a write, in characters, which take no counting. Larger writes cost each request less. */
const sizes = { gathered: 128 * 1024, maxWrite: 256 * 1024, sizeOf: (line: string) => line.length };

/** In bytes. A pipe takes up to 4096 in one piece, so only longer lines mix with those of other processes. */
const sizesBesideOthers = { gathered: 2048, maxWrite: 4096, sizeOf: Buffer.byteLength };

const flushIntervalMs = 200;

/** Maximum number of bytes waiting for a reader; further lines are dropped and counted. */
const waitingBytesMax = 8 * 1024 * 1024;

/** How long `end` waits for a reader, in milliseconds. */
const endWaitMs = 2_000;

/** Longer than any notice of dropped lines. */
const noticeBytesMax = 300;

/** Shortest time between two messages elsewhere that the log cannot be written, in milliseconds. */
const tellIntervalMs = 600_000;

/**
 * Opens the log on standard output. Lines are gathered into larger writes, because a write costs several times as much
 * as making a line. No line waits longer than the interval.
 *
 * A stalled reader or a full disk costs log lines and nothing else: what waits is bounded, and the first line that gets
 * through again says how many were dropped.
 *
 * @param besideOthers whether other processes write to the same output
 * @param format converts each line of JSON before it is written, such as `readableLogLine`
 * @param tellElsewhere receives a message for another output when the log cannot be written, at most every ten minutes
 */
export function openLogOutput(
  besideOthers: boolean,
  format: LineFormat = asJson,
  tellElsewhere: (message: string) => void = () => {},
): LogOutput {
  const { gathered, maxWrite, sizeOf } = besideOthers ? sizesBesideOthers : sizes;
  const destination = new CountingOutput(format, tellElsewhere);
  let lines = '';
  let size = 0;
  const handOn = () => {
    destination.write(lines);
    lines = '';
    size = 0;
  };
  const timer = setInterval(handOn, flushIntervalMs).unref();
  const writeLast = () => {
    handOn();
    destination.writeLast();
  };
  process.once('exit', writeLast);
  return {
    write(json) {
      const line = format(json);
      const lineSize = sizeOf(line);
      // The destination never splits what it is given, so this bounds the size of a write.
      if (size + lineSize > maxWrite - noticeBytesMax) handOn();
      lines += line;
      size += lineSize;
      if (size >= gathered) handOn();
    },
    flush: handOn,
    async end() {
      clearInterval(timer);
      handOn();
      process.removeListener('exit', writeLast);
      await destination.end();
    },
  };
}

/** Standard output that counts the lines it loses and reports their number once lines get through again. */
class CountingOutput {
  readonly #writer: BoundedWriter;
  readonly #format: LineFormat;
  #lostLines = 0;
  /** The system's reason for the latest line that it refused; `undefined` if lines were dropped only for a slow reader. */
  #refusal: string | undefined;
  readonly #mayTell = atMostEvery(tellIntervalMs);

  constructor(format: LineFormat, tellElsewhere: (message: string) => void) {
    this.#format = format;
    // Accessing it makes a pipe non-blocking.
    const { fd } = process.stdout;
    this.#writer = new BoundedWriter(fd, waitingBytesMax, (piece, toldLines, error) => {
      // A lost notice restores the count that it reported, and is not itself a line of the log.
      this.#lostLines += countLines(String(piece)) + Math.max(0, toldLines - 1);
      this.#refusal = reasonOf(error);
      // A reader that has ended, such as head, is no fault to report.
      if (error.code !== 'EPIPE' && this.#mayTell()) tellElsewhere(complaintOf(this.#refusal));
    });
  }

  write(lines: string): void {
    const toldLines = this.#lostLines;
    const text = toldLines === 0 ? lines : this.#format(noticeOf(toldLines, this.#refusal)) + lines;
    if (text === '') return;
    if (!this.#writer.write(text, toldLines)) {
      this.#lostLines += countLines(lines);
      return;
    }
    this.#lostLines = 0;
    this.#refusal = undefined;
  }

  /** Writes what is waiting while the process exits, when nothing else runs any more. */
  writeLast(): void {
    this.#writer.writeLast(performance.now() + endWaitMs);
  }

  async end(): Promise<void> {
    await withinMs(this.#writer.drained(), endWaitMs, () => {});
  }
}

function countLines(text: string): number {
  return text.split('\n').length - 1;
}

function reasonOf({ errno, message }: NodeJS.ErrnoException): string {
  return errno === undefined ? message : getSystemErrorMessage(errno);
}

function complaintOf(reason: string): string {
  return (
    `the log cannot be written to standard output (${reason}), so its lines are dropped: make room, raise the limit or ` +
    'start another file; the first line that gets through again gives the number of those dropped'
  );
}

function noticeOf(lostLines: number, refusal: string | undefined): string {
  const reason =
    refusal === undefined
      ? 'nobody read standard output in time'
      : `standard output could not be written (${refusal})`;
  return logLine('warn', { dropped_lines: lostLines }, `log lines were dropped, because ${reason}`);
}
