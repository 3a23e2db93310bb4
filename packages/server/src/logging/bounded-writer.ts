import { write, writeSync } from 'node:fs';

/** Shortest and longest pause before a write that a full pipe refused is retried, in milliseconds. */
const [pauseMsMin, pauseMsMax] = [2, 50];

interface Piece {
  readonly bytes: Buffer;
  readonly mark: number;
}

type OnLost = (bytes: Buffer, mark: number, error: NodeJS.ErrnoException) => void;

/**
 * Writes pieces of text to a file descriptor in order, each by one system call if the system takes it whole. Bounds the
 * text that waits for a slow reader: refuses a piece that would exceed the bound.
 *
 * sonic-boom, the stream of pino, pauses 100 ms whenever a pipe is full, which limits it to 640 KB a second, and never
 * ends while nobody reads.
 */
export class BoundedWriter {
  readonly #fd: number;
  readonly #waitingBytesMax: number;
  readonly #onLost: OnLost;
  #waiting: Piece[] = [];
  #waitingBytes = 0;
  #isWriting = false;
  /** Whether a write of the first piece is under way. */
  #isUnderWay = false;
  #pauseMs = pauseMsMin;
  #idle: PromiseWithResolvers<void> | undefined;

  /**
   * @param fd should be non-blocking if it is a pipe: a blocked write holds a thread until somebody reads
   * @param onLost called for each waiting piece that cannot be written, for example to a full disk. It receives what
   *   is left of the piece, its mark (0 if a part of it was written) and the error.
   */
  constructor(fd: number, waitingBytesMax: number, onLost: OnLost) {
    this.#fd = fd;
    this.#waitingBytesMax = waitingBytesMax;
    this.#onLost = onLost;
  }

  /** Queues a piece. Returns false and keeps none of it when too much is waiting already. */
  write(text: string, mark = 0): boolean {
    const bytes = Buffer.from(text);
    if (this.#waitingBytes + bytes.length > this.#waitingBytesMax) return false;
    this.#waiting.push({ bytes, mark });
    this.#waitingBytes += bytes.length;
    if (!this.#isWriting) this.#writeNext();
    return true;
  }

  /** Resolves once nothing is waiting. */
  drained(): Promise<void> {
    if (!this.#isWriting) return Promise.resolve();
    this.#idle ??= Promise.withResolvers<void>();
    return this.#idle.promise;
  }

  /** Writes what is waiting while the process exits, until the deadline at most. */
  writeLast(deadlineMs: number): void {
    // It is unknown how much of an unfinished piece was written.
    const rest = this.#waiting.slice(this.#isUnderWay ? 1 : 0);
    this.#waiting = [];
    for (const { bytes } of rest) if (!writeWhole(this.#fd, bytes, deadlineMs)) return;
  }

  #writeNext(): void {
    const [piece] = this.#waiting;
    this.#isWriting = piece !== undefined;
    this.#isUnderWay = this.#isWriting;
    if (piece === undefined) this.#idle?.resolve();
    else write(this.#fd, piece.bytes, (error, written) => this.#wrote(piece, error, written));
  }

  #wrote({ bytes, mark }: Piece, error: NodeJS.ErrnoException | null, written: number): void {
    this.#isUnderWay = false;
    if (error !== null && isFull(error)) {
      setTimeout(() => this.#writeNext(), this.#pauseMs).unref();
      this.#pauseMs = Math.min(pauseMsMax, this.#pauseMs * 2);
      return;
    }
    const done = error === null ? written : bytes.length;
    if (error !== null) this.#onLost(bytes, mark, error);
    else this.#pauseMs = pauseMsMin;
    this.#waitingBytes -= done;
    if (done === bytes.length) this.#waiting.shift();
    else this.#waiting[0] = { bytes: bytes.subarray(done), mark: 0 };
    this.#writeNext();
  }
}

function isFull({ code }: NodeJS.ErrnoException): boolean {
  return code === 'EAGAIN' || code === 'EBUSY';
}

/** Returns whether the piece was written before the deadline, by the clock of `performance.now()`. */
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
