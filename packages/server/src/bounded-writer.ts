import { write, writeSync } from 'node:fs';

/** Longest and shortest pause before a write is tried again that a full pipe did not take, in milliseconds. */
const [pauseMsMin, pauseMsMax] = [2, 50];

/**
 * Writes pieces of text to a file descriptor in their order, each by one system call where the system takes it whole.
 * What waits for a slow reader is bounded; a piece that would exceed the bound is refused.
 *
 * sonic-boom, the stream of pino, pauses 100 ms whenever a pipe is full, which allows no more than 640 KB a second, and
 * never ends while nobody reads.
 */
export class BoundedWriter {
  readonly #fd: number;
  readonly #waitingBytesMax: number;
  readonly #onLost: (text: Buffer) => void;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #isWriting = false;
  /** Whether the system is at work on the first piece. */
  #isUnderWay = false;
  #pauseMs = pauseMsMin;
  #idle: PromiseWithResolvers<void> | undefined;

  /**
   * @param fd should be non-blocking where it is a pipe: a blocked write holds a thread until somebody reads
   * @param onLost takes each piece that waited and cannot be written, for a full disk say
   */
  constructor(fd: number, waitingBytesMax: number, onLost: (piece: Buffer) => void) {
    this.#fd = fd;
    this.#waitingBytesMax = waitingBytesMax;
    this.#onLost = onLost;
  }

  /** Returns false, and keeps nothing of it, when too much waits already. */
  write(text: string): boolean {
    const piece = Buffer.from(text);
    if (this.#waitingBytes + piece.length > this.#waitingBytesMax) return false;
    this.#waiting.push(piece);
    this.#waitingBytes += piece.length;
    if (!this.#isWriting) this.#writeNext();
    return true;
  }

  /** Resolves once nothing waits. */
  drained(): Promise<void> {
    if (!this.#isWriting) return Promise.resolve();
    this.#idle ??= Promise.withResolvers<void>();
    return this.#idle.promise;
  }

  /** Writes what waits while the process ends, for as long as the reader takes it and the time is not over. */
  writeLast(deadlineMs: number): void {
    // Nobody can tell any more how much of a piece under way was written.
    const rest = this.#waiting.slice(this.#isUnderWay ? 1 : 0);
    this.#waiting = [];
    for (const piece of rest) if (!writeWhole(this.#fd, piece, deadlineMs)) return;
  }

  #writeNext(): void {
    const [piece] = this.#waiting;
    this.#isWriting = piece !== undefined;
    this.#isUnderWay = this.#isWriting;
    if (piece === undefined) this.#idle?.resolve();
    else write(this.#fd, piece, (error, bytes) => this.#wrote(piece, error, bytes));
  }

  #wrote(piece: Buffer, error: NodeJS.ErrnoException | null, bytes: number): void {
    this.#isUnderWay = false;
    if (error !== null && isFull(error)) {
      setTimeout(() => this.#writeNext(), this.#pauseMs).unref();
      this.#pauseMs = Math.min(pauseMsMax, this.#pauseMs * 2);
      return;
    }
    const done = error === null ? bytes : piece.length;
    if (error !== null) this.#onLost(piece);
    else this.#pauseMs = pauseMsMin;
    this.#waitingBytes -= done;
    if (done === piece.length) this.#waiting.shift();
    else this.#waiting[0] = piece.subarray(done);
    this.#writeNext();
  }
}

function isFull({ code }: NodeJS.ErrnoException): boolean {
  return code === 'EAGAIN' || code === 'EBUSY';
}

/** Returns whether it could be written before the deadline, by the clock of `performance.now()`. */
function writeWhole(fd: number, piece: Buffer, deadlineMs: number): boolean {
  for (let rest = piece; rest.length > 0; ) {
    try {
      rest = rest.subarray(writeSync(fd, rest));
    } catch (error) {
      if (!isFull(error as NodeJS.ErrnoException) || performance.now() > deadlineMs) return false;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMsMin);
    }
  }
  return true;
}
